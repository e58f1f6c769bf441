//! System calls and files, on Linux.
//!
//! Both filters name what is allowed, so that what a newer kernel adds is refused. Installing them sets
//! `no_new_privs`: no set-uid program gives anything back.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use landlock::{
    ABI, Access, AccessFs, AccessNet, CompatLevel, Compatible, Ruleset, RulesetAttr,
    RulesetCreatedAttr, RulesetStatus, Scope, path_beneath_rules,
};
use seccompiler::SeccompCmpArgLen::Dword;
use seccompiler::SeccompCmpOp::{Eq, MaskedEq};
use seccompiler::{
    BackendError, Error, SeccompAction, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule,
    TargetArch,
};

use super::Unconfined;

type Rules = BTreeMap<i64, Vec<SeccompRule>>;

/// Memory, the three pipes, and the end.
const COMPUTING: &[i64] = &[
    libc::SYS_brk,
    libc::SYS_clock_gettime,
    libc::SYS_close,
    libc::SYS_exit,
    libc::SYS_exit_group,
    libc::SYS_futex,
    libc::SYS_getrandom,
    libc::SYS_madvise,
    libc::SYS_mremap,
    libc::SYS_munmap,
    libc::SYS_rt_sigaction,
    libc::SYS_rt_sigprocmask,
    libc::SYS_rt_sigreturn,
    // openh264 counts processors.
    libc::SYS_sched_getaffinity,
    libc::SYS_sched_yield,
    libc::SYS_sigaltstack,
];

/// What a program does besides, from its loader to its end: files to read, threads, questions.
const PROGRAM: &[i64] = &[
    libc::SYS_clock_getres,
    libc::SYS_clock_nanosleep,
    libc::SYS_dup,
    libc::SYS_dup3,
    libc::SYS_execve,
    libc::SYS_faccessat,
    libc::SYS_faccessat2,
    libc::SYS_fadvise64,
    libc::SYS_fcntl,
    libc::SYS_fstat,
    libc::SYS_fstatfs,
    libc::SYS_getcwd,
    libc::SYS_getdents64,
    libc::SYS_getegid,
    libc::SYS_geteuid,
    libc::SYS_getgid,
    libc::SYS_getpid,
    libc::SYS_getppid,
    libc::SYS_getpriority,
    libc::SYS_getrusage,
    libc::SYS_gettid,
    libc::SYS_gettimeofday,
    libc::SYS_getuid,
    libc::SYS_get_mempolicy,
    libc::SYS_lseek,
    libc::SYS_membarrier,
    libc::SYS_mincore,
    libc::SYS_mmap,
    libc::SYS_mprotect,
    libc::SYS_nanosleep,
    libc::SYS_newfstatat,
    libc::SYS_ppoll,
    libc::SYS_pread64,
    libc::SYS_pselect6,
    libc::SYS_read,
    libc::SYS_readlinkat,
    libc::SYS_readv,
    libc::SYS_rseq,
    libc::SYS_sched_getparam,
    libc::SYS_sched_getscheduler,
    libc::SYS_set_robust_list,
    libc::SYS_set_tid_address,
    libc::SYS_statfs,
    libc::SYS_statx,
    libc::SYS_sysinfo,
    libc::SYS_times,
    libc::SYS_umask,
    libc::SYS_uname,
    libc::SYS_write,
    libc::SYS_writev,
];

/// The same, from before there was one set for all architectures.
#[cfg(target_arch = "x86_64")]
const OLDER: &[i64] = &[
    libc::SYS_access,
    libc::SYS_arch_prctl,
    libc::SYS_dup2,
    libc::SYS_getdents,
    libc::SYS_getpgrp,
    libc::SYS_lstat,
    libc::SYS_poll,
    libc::SYS_readlink,
    libc::SYS_select,
    libc::SYS_stat,
    libc::SYS_time,
];
#[cfg(not(target_arch = "x86_64"))]
const OLDER: &[i64] = &[];

/// Whatever else is called ends the process.
pub(super) fn own_decoders() -> Result<(), Unconfined> {
    let mut rules = allow(COMPUTING);
    rules.insert(libc::SYS_read, vec![argument(0, Eq, 0)?]);
    rules.insert(
        libc::SYS_write,
        vec![argument(0, Eq, 1)?, argument(0, Eq, 2)?],
    );
    // Memory is never both written and run.
    let no_code = || argument(2, MaskedEq(number(libc::PROT_EXEC)), 0);
    rules.insert(libc::SYS_mmap, vec![no_code()?]);
    rules.insert(libc::SYS_mprotect, vec![no_code()?]);
    install(rules, SeccompAction::KillProcess)
}

/// Whatever else is called isn't there, as on an older kernel: libraries that only ask go on without.
pub(super) fn ffmpeg(program: &Path) -> Result<(), Unconfined> {
    shut_out(program)?;
    let mut rules = allow(COMPUTING);
    rules.extend(allow(PROGRAM));
    rules.extend(allow(OLDER));
    let to_read = |flags| {
        let writing = libc::O_ACCMODE | libc::O_CREAT | libc::O_TRUNC;
        argument(flags, MaskedEq(number(writing)), number(libc::O_RDONLY))
    };
    rules.insert(libc::SYS_openat, vec![to_read(2)?]);
    #[cfg(target_arch = "x86_64")]
    rules.insert(libc::SYS_open, vec![to_read(1)?]);
    // `clone3` hides its flags from a filter; the C library falls back to `clone`.
    let thread = number(libc::CLONE_THREAD);
    rules.insert(
        libc::SYS_clone,
        vec![argument(0, MaskedEq(thread), thread)?],
    );
    // Questions about the limits, not changes.
    rules.insert(
        libc::SYS_prlimit64,
        vec![
            SeccompRule::new(vec![
                SeccompCondition::new(2, seccompiler::SeccompCmpArgLen::Qword, Eq, 0)
                    .map_err(backend)?,
            ])
            .map_err(backend)?,
        ],
    );
    rules.insert(
        libc::SYS_prctl,
        vec![
            argument(0, Eq, number(libc::PR_SET_NAME))?,
            argument(0, Eq, number(libc::PR_GET_NAME))?,
        ],
    );
    install(rules, SeccompAction::Errno(libc::ENOSYS.unsigned_abs()))
}

/// Only programs and libraries can be read, and nothing written: not the videos, not the database, not the
/// server's environment. Under a kernel without Landlock (before 5.13) no ffmpeg runs.
fn shut_out(program: &Path) -> Result<(), Unconfined> {
    const SYSTEM: [&str; 8] = [
        "/bin",
        "/gnu/store",
        "/lib",
        "/lib64",
        "/nix/store",
        "/usr",
        "/etc/ld.so.cache",
        "/dev/null",
    ];
    let program = program.canonicalize().unwrap_or_else(|_| program.into());
    // `bin/ffmpeg` brings its own `lib`.
    let own = program.parent().and_then(Path::parent);
    let readable = SYSTEM
        .iter()
        .map(PathBuf::from)
        .chain(own.map(|prefix| prefix.join("lib")))
        .chain([program.clone()]);
    let read = AccessFs::ReadFile | AccessFs::ReadDir | AccessFs::Execute;
    let rights = ABI::V6;
    let status = Ruleset::default()
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(AccessFs::from_all(rights))?
        .handle_access(AccessNet::from_all(rights))?
        .scope(Scope::from_all(rights))?
        .create()?
        .add_rules(path_beneath_rules(readable, read))?
        .restrict_self()?
        .ruleset;
    match status {
        RulesetStatus::NotEnforced => Err(Unconfined::NoLandlock),
        RulesetStatus::PartiallyEnforced | RulesetStatus::FullyEnforced => Ok(()),
    }
}

fn allow(calls: &[i64]) -> Rules {
    calls.iter().map(|call| (*call, Vec::new())).collect()
}

/// Allowed if this argument is so.
fn argument(index: u8, is: SeccompCmpOp, value: u64) -> Result<SeccompRule, Error> {
    let condition = SeccompCondition::new(index, Dword, is, value).map_err(backend)?;
    SeccompRule::new(vec![condition]).map_err(backend)
}

fn install(rules: Rules, otherwise: SeccompAction) -> Result<(), Unconfined> {
    let arch = TargetArch::try_from(std::env::consts::ARCH).map_err(backend)?;
    let filter = SeccompFilter::new(rules, otherwise, SeccompAction::Allow, arch);
    let program = filter.and_then(TryInto::try_into).map_err(backend)?;
    let program: seccompiler::BpfProgram = program;
    seccompiler::apply_filter(&program)?;
    Ok(())
}

fn backend(error: BackendError) -> Error {
    Error::Backend(error)
}

fn number(flags: libc::c_int) -> u64 {
    u64::from(flags.cast_unsigned())
}
