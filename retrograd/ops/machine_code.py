"""Functions of a few machine instructions that XLA or NumPy's arrays are handed to: they take no lock of Python's."""

from __future__ import annotations

import ctypes
import hashlib
import mmap
import platform
import re
import struct
import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

RDI, RSI, RDX, RCX = "rdi", "rsi", "rdx", "rcx"
_LOADED = {RDI: b"\x48\xbf", RSI: b"\x48\xbe", RDX: b"\x48\xba", RCX: b"\x48\xb9", "rax": b"\x48\xb8"}  # mov r, n
_ON_STACK = {  # lea r, [rsp + n]
    RDI: b"\x48\x8d\xbc\x24", RSI: b"\x48\x8d\xb4\x24", RCX: b"\x48\x8d\x8c\x24",
}  # fmt: skip


def runs_here() -> bool:
    """Whether the instructions are this processor's, and calls are made as this system makes them."""
    return sys.platform == "linux" and platform.machine() == "x86_64"


class Code:
    """An FFI handler of XLA, ``XLA_FFI_Error* f(XLA_FFI_CallFrame*)``, in x86-64 code for System V's calls.

    It keeps the tables of results and arguments in rbx and r12, and has a frame on the stack.
    """

    def __init__(self) -> None:
        self.body = b""
        self.frame = 0

    def reserve(self, size: int) -> int:
        """The place of ``size`` bytes in the frame."""
        place, self.frame = self.frame, self.frame + size
        return place

    def load(self, register: str, number: int) -> None:
        """``register = number``."""
        self.body += _LOADED[register] + struct.pack("<Q", number)

    def point(self, register: str, place: int) -> None:
        """``register = &frame[place]``."""
        self.body += _ON_STACK[register] + struct.pack("<i", place)

    def take(self, place: int) -> None:
        """``rdi = frame[place]``."""
        self.body += b"\x48\x8b\xbc\x24" + struct.pack("<i", place)

    def put(self, place: int, number: int) -> None:
        """``(int32) frame[place] = number``."""
        self.body += b"\xc7\x84\x24" + struct.pack("<ii", place, number)

    def buffer(self, kind: str, index: int, offset: int) -> None:
        """``rcx = results[index]->data + offset``, or of ``arguments``."""
        base = b"\x48\x8b\x8b" if kind == "result" else b"\x49\x8b\x8c\x24"  # mov rcx, [rbx + n] or [r12 + n]
        self.body += base + struct.pack("<i", 8 * index)
        self.body += b"\x48\x8b\x49\x18" + b"\x48\x81\xc1" + struct.pack("<i", offset)  # mov rcx, [rcx + 24]; add

    def copy(self, result: int, argument: int, offset: int, size: int) -> None:
        """``size`` bytes of an argument, from ``offset`` on, into a result."""
        self.buffer("argument", argument, offset)
        self.body += b"\x48\x89\xce"  # mov rsi, rcx
        self.buffer("result", result, 0)
        self.body += b"\x48\x89\xcf"  # mov rdi, rcx
        self.load(RCX, size)
        self.body += b"\xf3\xa4"  # rep movsb

    def share(self, pieces: Sequence[Code], parallel: int) -> None:
        """Let threads share ``pieces``: ``GOMP_parallel``, at an address, calls a function in as many as it has."""
        place = self.reserve(Shares.HEAD + 4 * len(pieces))
        self.body += b"\x48\x89\x9c\x24" + struct.pack("<i", place)  # mov [rsp + n], rbx
        self.body += b"\x4c\x89\xa4\x24" + struct.pack("<i", place + 8)  # mov [rsp + n], r12
        for i in range(len(pieces)):
            self.put(place + Shares.HEAD + 4 * i, 0)
        self.load(RDI, _placed(Shares(pieces).assembled()))
        self.point(RSI, place)
        self.load(RDX, 0)
        self.load(RCX, 0)
        self.call(parallel)

    def call(self, address: int) -> None:
        """Call the function at an address."""
        self.load("rax", address)
        self.body += b"\xff\xd0"

    def assembled(self) -> bytes:
        """The whole function; the stack stands at a multiple of 16 where it calls."""
        size = struct.pack("<i", (self.frame + 15) // 16 * 16 + 8)
        run = (
            b"\x48\x8b\x5f\x70"  # mov rbx, [rdi + 112]: frame->rets.rets
            b"\x4c\x8b\x67\x48"  # mov r12, [rdi + 72]: frame->args.args
        ) + self.body
        major, minor = _interface()
        tell = (  # XLA asks first for what interface this was written
            b"\x48\x8b\x40\x18"  # mov rax, [rax + 24]: extension->metadata
            + b"\xc7\x40\x18" + struct.pack("<i", major)  # mov [rax + 24], major
            + b"\xc7\x40\x1c" + struct.pack("<i", minor)  # mov [rax + 28], minor
            + b"\xe9" + struct.pack("<i", len(run))  # jmp leave
        )  # fmt: skip
        return (
            b"\x53\x41\x54\x48\x81\xec" + size  # push rbx; push r12; sub rsp, size
            + b"\x48\x8b\x47\x08\x48\x85\xc0"  # mov rax, [rdi + 8]: frame->extension_start; test rax, rax
            + b"\x74" + struct.pack("<b", len(tell) + 6)  # je run
            + b"\x83\x78\x08\x01\x75" + struct.pack("<b", len(tell))  # cmp [rax + 8], metadata; jne run
            + tell + run
            + b"\x31\xc0\x48\x81\xc4" + size + b"\x41\x5c\x5b\xc3"  # leave: xor eax, eax; add rsp; pop; pop; ret
        )  # fmt: skip


class Shares:
    """``void f(void* shared)``: of the threads that call it, whichever comes first runs a piece of code.

    ``shared`` is a head of ``HEAD`` bytes, and a number for each piece, 0 as long as nobody has begun it.  The head has
    the tables of results and arguments; a piece finds them where ``Code`` does.
    """

    HEAD = 16

    def __init__(self, pieces: Sequence[Code]) -> None:
        self.pieces = pieces

    def assembled(self) -> bytes:
        """The whole function."""
        size = struct.pack("<i", (max(p.frame for p in self.pieces) + 15) // 16 * 16)
        body = b""
        for i, piece in enumerate(self.pieces):
            body += b"\xb8\x01\x00\x00\x00"  # mov eax, 1
            body += b"\x41\x87\x85" + struct.pack("<i", self.HEAD + 4 * i)  # xchg eax, [r13 + n], at once for all
            body += b"\x85\xc0\x0f\x85" + struct.pack("<i", len(piece.body)) + piece.body  # test eax, eax; jne behind
        return (
            b"\x53\x41\x54\x41\x55\x48\x81\xec" + size  # push rbx; push r12; push r13; sub rsp, size
            + b"\x49\x89\xfd\x48\x8b\x1f\x4c\x8b\x67\x08"  # mov r13, rdi; mov rbx, [rdi]; mov r12, [rdi + 8]
            + body
            + b"\x48\x81\xc4" + size + b"\x41\x5d\x41\x5c\x5b\xc3"  # add rsp, size; pop r13; pop r12; pop rbx; ret
        )  # fmt: skip


@cache
def _interface() -> tuple[int, int]:
    """The version of XLA's foreign function interface that jaxlib has."""
    from retrograd.ops.jax_start import jax

    text = (Path(jax.ffi.include_dir()) / "xla" / "ffi" / "api" / "c_api.h").read_text()
    major, minor = (int(n) for n in re.findall(r"#define XLA_FFI_API_(?:MAJOR|MINOR) (\d+)", text))
    return major, minor


_kept: list[Any] = []  # code that XLA may call as long as the process lives


def _placed(code: bytes) -> int:
    """The address of code that stays."""
    memory = mmap.mmap(-1, len(code), prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    memory.write(code)
    _kept.append(memory)
    return ctypes.addressof(ctypes.c_char.from_buffer(memory))


@cache
def each(name: str) -> Any:
    """``f(x, y, n)``: y[i] = the C library's function ``name`` of x[i], float64 at two addresses; None if it cannot be.

    A loop over ``movsd xmm0, [rbx]; call; movsd [r12], xmm0``, r13 times.
    """
    if not runs_here():
        return None
    try:
        address = ctypes.cast(getattr(ctypes.CDLL("libm.so.6"), name), ctypes.c_void_p).value
        code = (
            b"\x53\x41\x54\x41\x55"  # push rbx; push r12; push r13
            b"\x48\x89\xfb\x49\x89\xf4\x49\x89\xd5"  # mov rbx, rdi; mov r12, rsi; mov r13, rdx
            b"\x4d\x85\xed\x74\x25"  # test r13, r13; je leave
            b"\xf2\x0f\x10\x03"  # next: movsd xmm0, [rbx]
            + _LOADED["rax"] + struct.pack("<Q", address or 0) + b"\xff\xd0"  # mov rax, address; call rax
            + b"\xf2\x41\x0f\x11\x04\x24"  # movsd [r12], xmm0
            b"\x48\x83\xc3\x08\x49\x83\xc4\x08"  # add rbx, 8; add r12, 8
            b"\x49\xff\xcd\x75\xdd"  # dec r13; jne next
            b"\x41\x5d\x41\x5c\x5b\xc3"  # leave: pop r13; pop r12; pop rbx; ret
        )  # fmt: skip
        return ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t)(_placed(code))
    except (OSError, AttributeError):  # another C library, or no code is allowed here
        return None


def registered(kind: str, problem: Any, code: Code) -> str:
    """The name by which XLA calls ``code``, which solves ``problem``.

    It follows from the problem, so a computation that was kept on disk finds the code of this process.
    """
    from retrograd.ops.jax_start import jax

    name = f"retrograd_{kind}_" + hashlib.sha256(repr(problem).encode()).hexdigest()[:16]
    jax.ffi.register_ffi_target(name, capsule(code.assembled()), platform="cpu")
    return name


def capsule(code: bytes) -> Any:
    """Code as what JAX registers."""
    address = _placed(code)
    new = ctypes.pythonapi.PyCapsule_New
    new.restype, new.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
    return new(address, None, None)
