/* The words of tables and arguments, as src/plan/layout.ts has them. */

/* Plans: direct, four steps or chirp. */
#define PLAN_KIND 0
#define PLAN_LENGTH 1
#define PLAN_STAGES 2 /* offset of stages; of the plan of the convolution for a chirp */
#define PLAN_STAGES_SECOND 3
#define PLAN_COARSE 4 /* offset of w_n^{i2·k1}; of the chirp */
#define PLAN_FINE 5   /* offset of the factors within a block; of the chirp's spectrum */
#define PLAN_FIRST 6  /* n1; the length of the convolution */
#define PLAN_SECOND 7 /* n2 */

#define DIRECT 0
#define FOUR_STEPS 1
#define CHIRP 2

/* After the plan at the beginning of the tables: an offset within them, and offsets within the workspace. */
#define AT_REAL_TWIDDLES 8
#define AT_STAGES_A 9
#define AT_STAGES_B 10
#define AT_MIDDLE 11
#define AT_CHIRP_A 12
#define AT_CHIRP_B 13
#define AT_REAL_A 14
#define AT_REAL_B 15
#define AT_COLLECTED 16
#define AT_RESULTS 17

/* What is the same for all lines: lines that are collected at a time; columns of a block of factors, a multiple of 2·LANES. */
#define AT_GROUP 18
#define PLAN_WIDTH 19
/* A part of the workspace. */
#define PART(header, workspace, at) ((void *)((workspace) + (unsigned)(header)[at]))

/* At the beginning of the workspace: where lines are read and written, and pairs of an odd radix. */
#define READS_AT 0
#define WRITES_AT (4 * VECTOR_BYTES)
#define PAIRS_AT (8 * VECTOR_BYTES)

/* Stages. */
#define STAGES_LENGTH 0
#define STAGES_COUNT 1
#define STAGES_HEADER 2
#define STAGE_WORDS 3
#define STAGE_RADIX 0
#define STAGE_TWIDDLES 1
#define STAGE_ROOTS 2

/* Arguments of a call. */
#define ARG_INPUT 0
#define ARG_OUTPUT 1
#define ARG_WORKSPACE 2
#define ARG_TABLES 3
#define ARG_N 4
#define ARG_OUTER 5
#define ARG_INNER 6
#define ARG_INVERSE 7
