"""Repose places, piles and moves bodies that do not pass through each other, and proves it.

    import repose
    session = repose.load("place/torus-on-cone")
    print(session.run()["status"], session.check()["verdict"])

A scene is a file, a name of the gallery, or a dict of the scene format. Work runs without the GIL and ends at Ctrl-C. Arrays of a
state are views: they are read-only and stay what they were when the session goes on. Lengths are metres, forces newtons.
"""

from __future__ import annotations

import json
import os
import pathlib
from typing import Any, Callable, Mapping, Optional, Sequence, Union

import numpy

_data = pathlib.Path(__file__).parent / "data"
if _data.is_dir():
    os.environ.setdefault("REPOSE_DATA", str(_data))

from . import _core  # noqa: E402
from ._core import State  # noqa: E402
from .errors import BrokenPromise, InputError  # noqa: E402

__version__: str = _core.version
__all__ = ["BrokenPromise", "InputError", "Session", "State", "gallery", "load", "methods", "schema", "settle", "__version__"]

Scene = Union[str, "os.PathLike[str]", Mapping[str, Any]]


def gallery() -> list[dict[str, str]]:
    """The scenes that come with Repose: name, about, method and path of each."""
    return _core.gallery()


def methods() -> list[dict[str, Any]]:
    """The ways of moving bodies: name, about, and the names of the settings of each."""
    return _core.methods()


def schema() -> dict[str, Any]:
    """The JSON Schema of scene files."""
    return json.loads(_core.schema())


def load(scene: Scene, *, settings: Optional[Mapping[str, Any]] = None, seed: Optional[int] = None) -> Session:
    """Builds a scene and makes it ready to run.

    scene: a path (.json, or another tool's file as of settle), a name of the gallery, or a dict of the scene format ("repose": 1 may be
    left out).
    settings: of the scene's method, by name. seed: instead of the scene's.
    Raises InputError with file, line and pointer where the scene is wrong.
    """
    return Session(scene, settings=settings, seed=seed)


def settle(scene: Scene, *, out: Optional[Union[str, "os.PathLike[str]"]] = None, bodies: Sequence[str] = (), key: str = "",
           joints: Optional[Mapping[str, float]] = None, hulls: bool = False, ground: bool = False) -> dict[str, Any]:
    """Brings the free bodies of a scene to rest near where they are, by the method that fits, and judges the end.

    scene: a file of ours or another tool's (MJCF, URDF, SDF, USDA, glTF, STEP, IGES, BREP), a name of the gallery, or a dict of the scene
    format. out: where to write the same file with the poses at rest. bodies: the only ones that move. key: of an MJCF file, which holds
    the joints. joints: of URDF and MJCF, where they stand instead (rad, m). hulls: meshes count as their convex hulls. ground: a floor
    at z = 0 beside what the file holds.
    Answers proven (no overlap and balance, both proven), status, why, how, overlap, balance, parted and farthest (how far bodies were
    moved, m), bodies with their positions and orientations_wxyz, text (the file at rest; None where there is none, or where it is no
    text: a .glb), unused (what of the
    file was not used).
    """
    if isinstance(scene, Mapping):
        text = json.dumps({"repose": 1, **scene}, default=_plain)
        told = _core.settle("scene.json", text, list(bodies), key, {}, hulls, ground)
        told["text"] = _with_poses(json.loads(text), told)
        file = None if told["text"] is None else told["text"].encode()
        del told["file"]
    else:
        given = {name: float(value) for name, value in (joints or {}).items()}
        told = _core.settle(os.fspath(scene), "", list(bodies), key, given, hulls, ground)
        file = told.pop("file")
        told["text"] = _as_text(file)
    if out is not None:
        if file is None:
            raise InputError("the scene has no file to be written back", file=str(out), wrong="nothing to write")
        pathlib.Path(out).write_bytes(file)
    return told


class Session:
    """A scene with the states so far. One thread works with it at a time."""

    def __init__(self, scene: Scene, *, settings: Optional[Mapping[str, Any]] = None, seed: Optional[int] = None) -> None:
        given = _settings(settings)
        if isinstance(scene, Mapping):
            text = json.dumps({"repose": 1, **scene}, default=_plain)
            self._core = _core.Session.from_text(text, "scene.json", given, seed)
        else:
            self._core = _core.Session.open(os.fspath(scene), given, seed)

    @property
    def name(self) -> str:
        """Of the scene."""
        return self._core.name

    @property
    def method(self) -> str:
        """That moves the bodies."""
        return self._core.method

    @property
    def bodies(self) -> list[dict[str, Any]]:
        """What stays of each body: name, shape, mass, size, fixed, center_body, soft_points. In the order of a state's arrays."""
        return self._core.bodies

    @property
    def state(self) -> State:
        """The state as it is now. It does not change when the session goes on."""
        return self._core.state

    def step(self) -> dict[str, Any]:
        """One step: status ("moving", "rest", ...), residual and why."""
        return self._core.step()

    def run(self, callback: Optional[Callable[[Session], Optional[bool]]] = None, *, steps: Optional[int] = None,
            duration: Optional[float] = None, every: int = 1, record: Optional[Union[str, "os.PathLike[str]"]] = None) -> dict[str, Any]:
        """Steps until rest, a limit, or the callback's word.

        callback: called with the session after every `every` steps; the run stops where it answers False.
        steps: at most so many more; duration: s of simulated time in all; both instead of the scene's limits.
        record: a recording.repose to write, as `repose run` does; `repose report` and `render` read it.
        Answers status, why, steps, time, energy, force_residual, torque_residual, worst_gap, frames.
        """
        told = None if callback is None else lambda: callback(self)
        return self._core.run(told, steps, duration, every, "" if record is None else os.fspath(record))

    def check(self, *, tolerance: float = 1e-9, friction: Optional[float] = None) -> dict[str, Any]:
        """The judge's verdict on the state, as `repose check --json` tells it: ["verdict"] is "proven", "missed" or "undecided".

        tolerance: overlap up to this fraction of the smaller body's size is no fault. friction: of all bodies, instead of their own.
        """
        return json.loads(self._core.check_text(tolerance, friction))

    def render(self, width: int = 640, height: int = 400, *, samples: int = 8, view: Optional[Sequence[float]] = None,
               contacts: bool = False, forces: bool = False) -> numpy.ndarray:
        """A picture of the state: rows from top to bottom, eight bits of red, green, blue.

        view: azimuth and elevation in degrees, instead of the scene's.
        """
        return self._core.render(width, height, samples, None if view is None else tuple(map(float, view)), contacts, forces)

    def scene(self) -> dict[str, Any]:
        """The scene with its bodies where they are now. Raises InputError where bodies are soft: keep a recording instead."""
        return json.loads(self._core.scene_text())

    def save(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Writes scene() as a file that `repose` runs and checks."""
        pathlib.Path(path).write_text(self._core.scene_text())

    def set(self, name: str, value: Union[bool, int, float, str]) -> None:
        """Changes a setting of the method while the run goes on."""
        self._core.set(name, value)

    def place(self, body: str, position: Sequence[float], orientation_wxyz: Sequence[float] = (1.0, 0.0, 0.0, 0.0)) -> None:
        """Puts a body somewhere by hand."""
        self._core.place(body, tuple(map(float, position)), tuple(map(float, orientation_wxyz)))

    def nudge(self, body: str, move: Sequence[float], turn: Sequence[float] = (0.0, 0.0, 0.0)) -> None:
        """Moves a body a little; turn is a rotation vector about its centre of mass, world axes, rad."""
        self._core.nudge(body, tuple(map(float, move)), tuple(map(float, turn)))

    def keep_states(self, count: int) -> None:
        """How many states to keep for undo, the current one included."""
        self._core.keep_states(count)

    def undo(self, count: int = 1) -> int:
        """Goes back among the kept states; answers by how many."""
        return self._core.undo(count)

    def __repr__(self) -> str:
        state = self.state
        return f"<repose.Session {self.name or 'scene'}: {self.method}, {len(self.bodies)} bodies, step {state.step}>"


def _as_text(file: Optional[bytes]) -> Optional[str]:
    """None where it is no text."""
    try:
        return None if file is None else file.decode()
    except UnicodeDecodeError:
        return None


def _plain(value: Any) -> Any:
    """Arrays and numbers of numpy as JSON has them."""
    if isinstance(value, numpy.ndarray):
        return value.tolist()
    if isinstance(value, numpy.generic):
        return value.item()
    raise TypeError(f"{type(value).__name__} has no place in a scene")


def _with_poses(scene: dict[str, Any], told: Mapping[str, Any]) -> Optional[str]:
    """The scene as text with bodies where they came to rest; None where one of them has no place of its own in it."""
    bodies = {body["name"]: body for body in scene.get("bodies", [])}
    for name, position, turn in zip(told["bodies"], told["positions"], told["orientations_wxyz"]):
        if name not in bodies:
            return None
        for other in ("axis_angle_deg", "roll_pitch_yaw_deg"):
            bodies[name].pop(other, None)
        bodies[name].update(position=position.tolist(), orientation_wxyz=turn.tolist())
    return json.dumps(scene, indent=1)


def _settings(settings: Optional[Mapping[str, Any]]) -> list[str]:
    """As NAME=VALUE."""
    def text(value: Any) -> str:
        return str(value).lower() if isinstance(value, bool) else str(value)

    return [f"{name}={text(value)}" for name, value in (settings or {}).items()]
