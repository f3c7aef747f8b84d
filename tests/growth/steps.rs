//! Counts the steps of this program: the basic blocks that it has executed.
//!
//! `./run test` compiles the program with the coverage pass of LLVM, which inserts a call before each basic block.
//! The called functions are written in assembly: the pass would instrument a Rust function too, which would then
//! recurse. Precompiled code of the standard library, such as `memchr`, is not counted.
#![allow(unsafe_code)]

use std::sync::atomic::{AtomicU64, Ordering};

#[unsafe(no_mangle)]
static ZONEWRIGHT_STEPS: AtomicU64 = AtomicU64::new(0);

// The program has one thread, so the increment need not be atomic.
#[cfg(target_arch = "x86_64")]
std::arch::global_asm!(
    ".globl __sanitizer_cov_trace_pc_guard",
    "__sanitizer_cov_trace_pc_guard:",
    "inc qword ptr [rip + {steps}]",
    "ret",
    ".globl __sanitizer_cov_trace_pc_guard_init",
    "__sanitizer_cov_trace_pc_guard_init:",
    "ret",
    steps = sym ZONEWRIGHT_STEPS,
);

#[cfg(target_arch = "aarch64")]
std::arch::global_asm!(
    ".globl __sanitizer_cov_trace_pc_guard",
    "__sanitizer_cov_trace_pc_guard:",
    "adrp x0, {steps}",
    "add x0, x0, :lo12:{steps}",
    "ldr x1, [x0]",
    "add x1, x1, #1",
    "str x1, [x0]",
    "ret",
    ".globl __sanitizer_cov_trace_pc_guard_init",
    "__sanitizer_cov_trace_pc_guard_init:",
    "ret",
    steps = sym ZONEWRIGHT_STEPS,
);

/// The steps of a call; 0 when the program was compiled without the pass.
pub fn count_steps(call: impl FnOnce()) -> u64 {
    let before = ZONEWRIGHT_STEPS.load(Ordering::Relaxed);
    call();
    ZONEWRIGHT_STEPS.load(Ordering::Relaxed) - before
}
