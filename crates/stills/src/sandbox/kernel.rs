//! The Linux part of the sandbox: system call filters (`seccomp(2)`) and file access (`landlock(7)`).
//!
//! Both filters are allowlists, so system calls that a newer kernel adds are refused. Installing one sets
//! `no_new_privs`: executing a set-uid program restores no right.

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

use super::SandboxError;

type Rules = BTreeMap<i64, Vec<SeccompRule>>;

/// What computing needs: memory, threads' synchronization, closing files, exiting.
const COMMON_SYSCALLS: &[i64] = &[
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
    // openh264 asks for the number of processors.
    libc::SYS_sched_getaffinity,
    libc::SYS_sched_yield,
    libc::SYS_sigaltstack,
];

/// What else ffmpeg needs, from its loader to its end: reading files, threads, queries.
const FFMPEG_SYSCALLS: &[i64] = &[
    libc::SYS_clock_getres,
    libc::SYS_clock_nanosleep,
    libc::SYS_dup,
    libc::SYS_dup3,
    libc::SYS_execve,
    libc::SYS_faccessat,
    libc::SYS_faccessat2,
    libc::SYS_fadvise64,
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

/// Older equivalents of those, which only x86-64 has.
#[cfg(target_arch = "x86_64")]
const LEGACY_SYSCALLS: &[i64] = &[
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
const LEGACY_SYSCALLS: &[i64] = &[];

/// Confines the built-in decoders. Any other system call kills the process.
pub(super) fn confine_built_in() -> Result<(), SandboxError> {
    let mut rules = allow(COMMON_SYSCALLS);
    rules.insert(libc::SYS_read, vec![argument(0, Eq, 0)?]);
    rules.insert(
        libc::SYS_write,
        vec![argument(0, Eq, 1)?, argument(0, Eq, 2)?],
    );
    // No memory becomes executable.
    let not_executable = || argument(2, MaskedEq(number(libc::PROT_EXEC)), 0);
    rules.insert(libc::SYS_mmap, vec![not_executable()?]);
    rules.insert(libc::SYS_mprotect, vec![not_executable()?]);
    install(rules, SeccompAction::KillProcess)
}

/// Confines ffmpeg. Any other system call fails with `ENOSYS`, as on an older kernel.
///
/// Libraries probe for system calls, and work without those that are missing.
pub(super) fn confine_ffmpeg(program: &Path) -> Result<(), SandboxError> {
    restrict_files(program)?;
    let mut rules = allow(COMMON_SYSCALLS);
    rules.extend(allow(FFMPEG_SYSCALLS));
    rules.extend(allow(LEGACY_SYSCALLS));
    // Not those by which a pipe sends a signal to the server: F_SETOWN and F_SETSIG.
    let commands = [
        libc::F_DUPFD,
        libc::F_DUPFD_CLOEXEC,
        libc::F_GETFD,
        libc::F_SETFD,
        libc::F_GETFL,
    ];
    let commands = commands.map(|it| argument(1, Eq, number(it)));
    let commands = commands.into_iter().collect::<Result<_, _>>()?;
    rules.insert(libc::SYS_fcntl, commands);
    let read_only = |flags| {
        let writing = libc::O_ACCMODE | libc::O_CREAT | libc::O_TRUNC;
        argument(flags, MaskedEq(number(writing)), number(libc::O_RDONLY))
    };
    rules.insert(libc::SYS_openat, vec![read_only(2)?]);
    #[cfg(target_arch = "x86_64")]
    rules.insert(libc::SYS_open, vec![read_only(1)?]);
    // Threads, not processes. `clone3` passes its flags in memory, which a filter can't read; without it the C
    // library falls back to `clone`.
    let thread = number(libc::CLONE_THREAD);
    rules.insert(
        libc::SYS_clone,
        vec![argument(0, MaskedEq(thread), thread)?],
    );
    // Reading limits, not setting them.
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

/// Allows reading programs and libraries only, and writing nothing.
///
/// Videos, the database and the server's environment in `/proc` are out of reach. A kernel without Landlock
/// (before 5.13) is an error.
fn restrict_files(program: &Path) -> Result<(), SandboxError> {
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
    // An installation below a prefix of its own has `bin/ffmpeg` and `lib`.
    let prefix = program.parent().and_then(Path::parent);
    let readable = SYSTEM
        .iter()
        .map(PathBuf::from)
        .chain(prefix.map(|prefix| prefix.join("lib")))
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
        RulesetStatus::NotEnforced => Err(SandboxError::NoLandlock),
        RulesetStatus::PartiallyEnforced | RulesetStatus::FullyEnforced => Ok(()),
    }
}

fn allow(calls: &[i64]) -> Rules {
    calls.iter().map(|call| (*call, Vec::new())).collect()
}

/// A rule that allows a call if this argument, of 32 bits, compares so with `value`.
fn argument(index: u8, operator: SeccompCmpOp, value: u64) -> Result<SeccompRule, Error> {
    let condition = SeccompCondition::new(index, Dword, operator, value).map_err(backend)?;
    SeccompRule::new(vec![condition]).map_err(backend)
}

fn install(rules: Rules, otherwise: SeccompAction) -> Result<(), SandboxError> {
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
