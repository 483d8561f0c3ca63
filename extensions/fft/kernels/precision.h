/* Everything of one precision; afterwards its names are free for the other. */
#undef SPLAT
#if LANES == 2
#define SPLAT(x) ((vec)wasm_f64x2_splat(x))
#else
#define SPLAT(x) ((vec)wasm_f32x4_splat(x))
#endif

#include "vectors.h"
#include "stages.h"
#include "lines.h"
#include "calls.h"

#undef complexes
#undef add
#undef sub
#undef turn
#undef mul
#undef spread
#undef gather
#undef places
#undef scatter
#undef stages
#undef lines
#undef GROUP
#undef vec
#undef LANES
#undef PRECISION
#undef REAL
