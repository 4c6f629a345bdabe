/* Answers for the processor, and leaves out AVX-512 and VNNI. Where bench/avx2.py has put the instruction ud2 in place
   of cpuid, the processor traps; this handler asks it in earnest and takes bits away from the answer. */

#define _GNU_SOURCE
#include <cpuid.h>
#include <signal.h>
#include <string.h>
#include <ucontext.h>

#define BIT(n) (1u << (n))

static void answer(int number, siginfo_t *info, void *context) {
    greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
    const unsigned char *at = (const unsigned char *)registers[REG_RIP];
    unsigned int leaf = registers[REG_RAX], part = registers[REG_RCX], a, b, c, d;
    (void)number, (void)info;
    if (at[0] != 0x0f || at[1] != 0x0b) {
        signal(SIGILL, SIG_DFL);
        return;
    }
    __cpuid_count(leaf, part, a, b, c, d);
    if (leaf == 7 && part == 0) {
        b &= ~(BIT(16) | BIT(17) | BIT(21) | BIT(26) | BIT(27) | BIT(28) | BIT(30) | BIT(31)); /* AVX-512 F ... VL */
        c &= ~(BIT(1) | BIT(6) | BIT(11) | BIT(12) | BIT(14));                    /* VBMI, VNNI, BITALG, VPOPCNTDQ */
        d &= ~(BIT(2) | BIT(3) | BIT(8) | BIT(22) | BIT(23) | BIT(24) | BIT(25));               /* and AMX */
    }
    if (leaf == 7 && part == 1) {
        a &= ~(BIT(4) | BIT(5) | BIT(23)); /* AVX-VNNI, AVX-512 BF16, AVX-IFMA */
        d &= ~(BIT(4) | BIT(5) | BIT(10) | BIT(19));
    }
    registers[REG_RAX] = a, registers[REG_RBX] = b, registers[REG_RCX] = c, registers[REG_RDX] = d;
    registers[REG_RIP] += 2;
}

__attribute__((constructor)) static void install(void) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = answer;
    action.sa_flags = SA_SIGINFO | SA_NODEFER;
    sigaction(SIGILL, &action, 0);
}
