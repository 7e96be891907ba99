"""Repose in C++; use the module repose."""

from typing import Any, Callable, Mapping, Optional, Sequence

import numpy
from numpy.typing import NDArray

version: str

def gallery() -> list[dict[str, str]]: ...
def methods() -> list[dict[str, Any]]: ...
def schema() -> str: ...
def settle(path: str, text: str, bodies: Sequence[str], key: str, joints: Mapping[str, float],
           hulls: bool, ground: bool) -> dict[str, Any]: ...

class State:
    """A state of n bodies and m contacts. Arrays are read-only views of it."""

    @property
    def step(self) -> int: ...
    @property
    def time(self) -> float:
        """s; 0 where the method has no time."""
    @property
    def hash(self) -> str:
        """Of every bit of poses and velocities."""
    @property
    def positions(self) -> NDArray[numpy.float64]:
        """(n, 3), m, of the bodies' origins."""
    @property
    def orientations_xyzw(self) -> NDArray[numpy.float64]:
        """(n, 4), unit quaternions as they are kept."""
    @property
    def orientations_wxyz(self) -> NDArray[numpy.float64]:
        """(n, 4), a copy in the order of scene files."""
    @property
    def velocities(self) -> NDArray[numpy.float64]:
        """(n, 3), m/s, of the centres of mass."""
    @property
    def angular_velocities(self) -> NDArray[numpy.float64]:
        """(n, 3), rad/s, world axes."""
    @property
    def contact_bodies(self) -> NDArray[numpy.int32]:
        """(m, 2), numbers of the bodies a and b."""
    @property
    def contact_points(self) -> NDArray[numpy.float64]:
        """(m, 3), m, world."""
    @property
    def contact_normals(self) -> NDArray[numpy.float64]:
        """(m, 3), unit, from a to b."""
    @property
    def contact_gaps(self) -> NDArray[numpy.float64]:
        """(m,), m; negative where they overlap."""
    @property
    def contact_forces(self) -> NDArray[numpy.float64]:
        """(m, 3), N, on b; the opposite acts on a."""
    def soft_positions(self, body: int) -> NDArray[numpy.float64]:
        """(k, 3), m, of the soft points of a body."""
    def soft_velocities(self, body: int) -> NDArray[numpy.float64]:
        """(k, 3), m/s."""

class Session:
    @staticmethod
    def open(path: str, set: Sequence[str], seed: Optional[int]) -> Session: ...
    @staticmethod
    def from_text(text: str, file: str, set: Sequence[str], seed: Optional[int]) -> Session: ...
    def step(self) -> dict[str, Any]: ...
    def run(self, callback: Optional[Callable[[], Optional[bool]]], steps: Optional[int], duration: Optional[float], every: int,
            record: str) -> dict[str, Any]: ...
    def check_text(self, tolerance: float, friction: Optional[float]) -> str: ...
    def render(self, width: int, height: int, samples: int, view: Optional[tuple[float, ...]], contacts: bool,
               forces: bool) -> NDArray[numpy.uint8]: ...
    def scene_text(self) -> str: ...
    def set(self, name: str, value: bool | int | float | str) -> None: ...
    def place(self, body: str, position: tuple[float, ...], orientation_wxyz: tuple[float, ...]) -> None: ...
    def nudge(self, body: str, move: tuple[float, ...], turn: tuple[float, ...]) -> None: ...
    def keep_states(self, count: int) -> None: ...
    def undo(self, count: int) -> int: ...
    @property
    def bodies(self) -> list[dict[str, Any]]: ...
    @property
    def method(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def state(self) -> State: ...
