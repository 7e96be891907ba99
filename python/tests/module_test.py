"""The module repose, as a program meets it."""
import ast
import gc
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest

import numpy

import repose
from repose import _core

BALL = {"about": "A ball above the ground.", "method": {"kind": "place"},
        "bodies": [{"name": "ground", "shape": {"kind": "half_space"}, "fixed": True},
                   {"name": "ball", "shape": {"kind": "ball", "radius": 0.1}, "position": [0, 0, 0.3]}]}
FOREVER = {"about": "Nothing ends it.", "method": {"kind": "still", "steps": 1000000000, "step_time": 0.01},
           "bodies": [{"name": "ball", "shape": {"kind": "ball", "radius": 0.1}, "position": [0, 0, 0.3]}]}


class Module(unittest.TestCase):
    def test_a_scene_of_dicts_comes_to_rest_and_is_proven(self):
        session = repose.load(BALL)
        told = session.run()
        self.assertEqual(told["status"], "rest")
        self.assertAlmostEqual(session.state.positions[1, 2], 0.1, delta=1e-6)
        verdict = session.check()
        self.assertEqual(verdict["verdict"], "proven", verdict)

    def test_numpy_numbers_serve_in_scenes(self):
        scene = {**BALL, "bodies": [BALL["bodies"][0], {**BALL["bodies"][1], "position": numpy.array([0.0, 0.5, 0.25])}]}
        self.assertEqual(repose.load(scene).state.positions[1].tolist(), [0.0, 0.5, 0.25])

    def test_arrays_are_read_only_views_that_outlive_session_and_step(self):
        session = repose.load(BALL)
        state = session.state
        before = state.positions
        self.assertFalse(before.flags.owndata)
        self.assertFalse(before.flags.writeable)
        self.assertTrue(numpy.shares_memory(before, state.positions))
        height = float(before[1, 2])
        session.step()
        self.assertNotEqual(session.state.positions[1, 2], height)
        del session, state
        gc.collect()
        self.assertEqual(before[1, 2], height)

    def test_orientations_agree(self):
        state = repose.load("place/cone-on-ground").state
        numpy.testing.assert_array_equal(numpy.roll(state.orientations_xyzw, 1, axis=1), state.orientations_wxyz)
        numpy.testing.assert_allclose(numpy.linalg.norm(state.orientations_wxyz, axis=1), 1.0, atol=1e-12)

    def test_contact_forces_carry_the_weight(self):
        session = repose.load(BALL)
        session.run()
        state = session.state
        names = [body["name"] for body in session.bodies]
        total = numpy.zeros(3)
        for (a, b), force in zip(state.contact_bodies, state.contact_forces):
            total += force if names[b] == "ball" else -force
        weight = session.bodies[1]["mass"] * 9.81
        numpy.testing.assert_allclose(total, [0, 0, weight], atol=1e-6 * weight)
        self.assertEqual(state.contact_gaps.shape, (len(state.contact_points),))

    def test_a_state_without_contacts_has_empty_arrays(self):
        state = repose.load(FOREVER).state
        self.assertEqual(state.contact_points.shape, (0, 3))
        self.assertEqual(state.contact_bodies.shape, (0, 2))
        self.assertEqual(state.soft_positions(0).shape, (0, 3))

    def test_soft_points_are_views(self):
        session = repose.load("molecule/cantilever")
        body = next(k for k, b in enumerate(session.bodies) if b["soft_points"])
        points = session.state.soft_positions(body)
        self.assertEqual(points.shape, (session.bodies[body]["soft_points"], 3))
        self.assertFalse(points.flags.owndata)
        with self.assertRaises(repose.InputError):
            session.scene()

    def test_the_callback_sees_every_step_and_ends_the_run(self):
        session = repose.load(FOREVER)
        steps = []

        def look(seen):
            steps.append(seen.state.step)
            return len(steps) < 5

        self.assertEqual(session.run(look, every=2)["status"], "stopped")
        self.assertEqual(steps, [2, 4, 6, 8, 10])

    def test_an_error_in_the_callback_comes_back(self):
        def bad(session):
            raise KeyError("mine")
        session = repose.load(FOREVER)
        with self.assertRaisesRegex(KeyError, "mine"):
            session.run(bad)
        self.assertEqual(session.run(steps=1)["status"], "finished")

    def test_a_session_refuses_a_second_worker(self):
        session = repose.load(FOREVER)
        with self.assertRaisesRegex(RuntimeError, "at work"):
            session.run(lambda s: s.step())
        started = threading.Event()
        go_on = threading.Event()

        def hold(_):
            started.set()
            go_on.wait()
            return False

        worker = threading.Thread(target=session.run, args=(hold,))
        worker.start()
        started.wait()
        with self.assertRaisesRegex(RuntimeError, "at work"):
            session.step()
        with self.assertRaisesRegex(RuntimeError, "at work"):
            session.state
        go_on.set()
        worker.join()
        session.step()

    def test_other_threads_run_while_it_works(self):
        session = repose.load(FOREVER)
        counted = [0]
        stop = threading.Event()

        def count():
            while not stop.is_set():
                counted[0] += 1
                time.sleep(0.001)

        thread = threading.Thread(target=count)
        thread.start()
        session.run(steps=200000)
        stop.set()
        thread.join()
        self.assertGreater(counted[0], 20)

    def test_ctrl_c_is_a_keyboard_interrupt_and_the_session_stays(self):
        # a shell's job in the background begins with signals ignored
        code = ("import repose, sys, json, signal\nsignal.signal(signal.SIGINT, signal.default_int_handler)\n"
                f"session = repose.load(json.loads({json.dumps(json.dumps(FOREVER))}))\n"
                "ready = lambda s: print('ready', flush=True) if s.state.step == 1 else None\n"
                "try:\n  session.run(ready)\nexcept KeyboardInterrupt:\n  session.step(); print('stopped', flush=True)\n")
        child = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
        self.assertEqual(child.stdout.readline(), "ready\n")
        time.sleep(0.3)
        child.send_signal(signal.SIGINT)
        self.assertEqual(child.communicate(timeout=60)[0], "stopped\n")
        self.assertEqual(child.returncode, 0)

    def test_errors_carry_file_line_and_pointer(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "bad.json"
            path.write_text('{"repose": 1, "about": "x",\n "method": {"kind": "place"},\n "bodies": [{"name": "a",\n  "shape": {"kind": "ball", "radius": -1}}]}')
            with self.assertRaises(repose.InputError) as caught:
                repose.load(path)
        error = caught.exception
        self.assertEqual((pathlib.Path(error.file).name, error.line, error.pointer), ("bad.json", 4, "/bodies/0/shape/radius"))
        self.assertIsInstance(error, ValueError)
        self.assertIn("-1", str(error))
        with self.assertRaises(repose.InputError):
            repose.load("place/no-such-scene")
        with self.assertRaises(repose.InputError):
            repose.load(BALL, settings={"no_such_setting": 1})
        with self.assertRaises(TypeError):
            repose.load({**BALL, "seed": object()})

    def test_what_is_saved_is_the_state(self):
        session = repose.load("place/torus-on-cone")
        session.run()
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "settled.json"
            session.save(path)
            again = repose.load(path)
            numpy.testing.assert_array_equal(again.state.positions, session.state.positions)
            numpy.testing.assert_allclose(again.state.orientations_wxyz, session.state.orientations_wxyz, atol=1e-15)
            self.assertEqual(again.check()["overlap"], "proven")

    def test_instances_are_saved_as_bodies(self):
        scene = {**BALL, "method": {"kind": "still"}, "bodies": BALL["bodies"][:1], "shapes": {"ball": {"kind": "ball", "radius": 0.1}},
                 "instances": [{"name": "b", "body": {"shape": "ball", "position": [0, 0, 1]},
                                "arrange": {"kind": "grid", "counts": [3, 2, 1], "spacing": [0.5, 0.5, 0.5]}}]}
        session = repose.load(scene)
        again = repose.load(session.scene())
        self.assertEqual([b["name"] for b in again.bodies], [b["name"] for b in session.bodies])
        numpy.testing.assert_array_equal(again.state.positions, session.state.positions)

    def test_a_recording_is_written(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "recording.repose")
            told = repose.load(BALL).run(record=path)
            self.assertGreater(told["frames"], 1)
            self.assertGreater(os.path.getsize(path), 1000)

    def test_pictures_are_arrays(self):
        picture = repose.load("still/torus-on-cone").render(64, 40, samples=1)
        self.assertEqual((picture.shape, picture.dtype), ((40, 64, 3), numpy.uint8))
        self.assertGreater(picture.std(), 5)

    def test_edits_and_undo(self):
        session = repose.load(BALL)
        session.keep_states(5)
        session.place("ball", [0, 0, 0.7])
        self.assertEqual(session.state.positions[1, 2], 0.7)
        self.assertEqual(session.undo(), 1)
        self.assertEqual(session.state.positions[1, 2], 0.3)
        with self.assertRaises(repose.InputError):
            session.place("nobody", [0, 0, 1])

    def test_the_same_scene_gives_the_same_bits(self):
        hashes = set()
        for _ in range(2):
            session = repose.load(BALL)
            session.run()
            hashes.add(session.state.hash)
        self.assertEqual(len(hashes), 1)

    def test_gallery_methods_and_schema(self):
        self.assertIn("place/torus-on-cone", [scene["name"] for scene in repose.gallery()])
        self.assertIn("pile", [method["name"] for method in repose.methods()])
        self.assertIn("$schema", repose.schema())

    def test_a_scene_is_settled_and_written_back(self):
        with tempfile.TemporaryDirectory() as folder:
            out = os.path.join(folder, "settled.json")
            told = repose.settle(BALL, out=out)
            self.assertTrue(told["proven"], told["why"])
            self.assertEqual(told["bodies"], ["ball"])
            self.assertAlmostEqual(told["positions"][0, 2], 0.1, delta=1e-6)
            self.assertEqual(repose.load(out).check()["verdict"], "proven")

    def test_another_tools_file_is_settled(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "box.xml"
            path.write_text('<mujoco><worldbody><geom type="plane" size="1 1 1"/><body name="box" pos="0 0 0.3"><freejoint/>'
                            '<geom type="box" size="0.1 0.1 0.1"/></body></worldbody></mujoco>')
            told = repose.settle(path)
            self.assertTrue(told["proven"], told["why"])
            self.assertAlmostEqual(told["positions"][0, 2], 0.1, delta=1e-6)
            self.assertIn("freejoint", told["text"])

    def test_the_stubs_name_what_there_is(self):
        stub = ast.parse((pathlib.Path(repose.__file__).parent / "_core.pyi").read_text())
        for node in stub.body:
            if not isinstance(node, ast.ClassDef):
                continue
            there = {name for name in vars(getattr(_core, node.name)) if not name.startswith("_")}
            told = {item.name for item in node.body if isinstance(item, ast.FunctionDef)}
            self.assertEqual(there, told, node.name)
        functions = {node.name for node in stub.body if isinstance(node, ast.FunctionDef)}
        self.assertEqual(functions, {name for name in vars(_core) if callable(getattr(_core, name)) and name.islower() and name[0] != "_"})

    def test_everything_public_has_a_docstring(self):
        for name in repose.__all__:
            self.assertTrue(getattr(repose, name).__doc__, name)
        for name, member in vars(repose.Session).items():
            if not name.startswith("_"):
                self.assertTrue(member.__doc__, name)


if __name__ == "__main__":
    unittest.main()
