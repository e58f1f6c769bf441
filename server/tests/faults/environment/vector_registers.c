/* User Mode Linux keeps the vector registers of its processes in buffers that have no room for those of AVX-512 and AMX, and a
 * host with them takes no incomplete set back ("ptrace set fp regs failed"). Preloaded into it, this keeps the rest of each
 * set beside its buffer, of which each process of the guest has one. Not across signals of the guest, whose frames it doesn't
 * see, so its programs are told to use no AVX-512. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/types.h>
#include <sys/uio.h>

/* NT_X86_XSTATE of elf.h, and more bytes than any processor has in it. */
#define XSTATE 0x202
#define SET_BYTES 16384

/* More than the buffers that a guest has ever had: their addresses are used again. */
#define SETS 4096

static struct set {
    void *buffer;
    size_t length;
    char bytes[SET_BYTES];
} sets[SETS];

static struct set *set_of(void *buffer) {
    size_t first = (uintptr_t)buffer / 64 % SETS;
    for (size_t i = 0; i < SETS; i++) {
        struct set *set = &sets[(first + i) % SETS];
        if (!set->buffer) set->buffer = buffer;
        if (set->buffer == buffer) return set;
    }
    fputs("too many buffers of vector registers\n", stderr);
    abort();
}

long ptrace(enum __ptrace_request request, ...) {
    static __typeof__(&ptrace) real;
    if (!real) real = (__typeof__(real))dlsym(RTLD_NEXT, "ptrace");
    va_list arguments;
    va_start(arguments, request);
    pid_t process = va_arg(arguments, pid_t);
    void *address = va_arg(arguments, void *);
    void *data = va_arg(arguments, void *);
    va_end(arguments);
    int gets = request == PTRACE_GETREGSET, puts = request == PTRACE_SETREGSET;
    if ((!gets && !puts) || (uintptr_t)address != XSTATE) return real(request, process, address, data);

    struct iovec *given = data;
    struct set *set = set_of(given->iov_base);
    struct iovec all = {set->bytes, SET_BYTES};
    /* A process that was never stopped has the rest of its last one: those registers don't outlive a function's call. */
    if (gets || !set->length) {
        long failed = real(PTRACE_GETREGSET, process, address, &all);
        if (failed) return failed;
        set->length = all.iov_len;
    }
    if (given->iov_len > set->length) given->iov_len = set->length;
    if (gets) {
        memcpy(given->iov_base, set->bytes, given->iov_len);
        return 0;
    }
    memcpy(set->bytes, given->iov_base, given->iov_len);
    all.iov_len = set->length;
    return real(request, process, address, &all);
}
