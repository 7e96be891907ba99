"""guide_test.py PAGE: the Python of a page, block after block in one namespace, as a reader would type it."""
import os
import re
import sys
import tempfile

text = open(sys.argv[1]).read()
blocks = [(text[:m.start()].count("\n") + 2, m[1]) for m in re.finditer(r"```python\n(.*?)```", text, re.S)]
assert len(blocks) >= 6, "the guide has lost its examples"
names = {"__name__": "guide"}
with tempfile.TemporaryDirectory() as place:
    os.chdir(place)
    for line, block in blocks:
        # lines of the page stand in messages
        exec(compile("\n" * (line - 1) + block, sys.argv[1], "exec"), names)
    os.chdir("/")
