/* Everything of one precision; afterwards its names are free for the other. */
#define LANES (VECTOR_BYTES / REAL_BYTES)

#include "vectors.h"
#include "stages.h"
#include "lines.h"
#include "calls.h"

#undef complexes
#undef SPLAT
#undef REALS
#undef IMAGINARIES
#undef LOW
#undef HIGH
#undef EVEN
#undef ODD
#undef NEAR
#undef FAR
#undef FIRST_LANE
#undef NEXT_LANE
#undef CELLS
#undef CELL
#undef CELL_PAIR
#undef EXCHANGED
#undef ADJACENT
#undef KNOWS_ADJACENT
#undef IN_MANNER
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
#undef vec
#undef LANES
#undef REAL_BYTES
#undef PRECISION
#undef REAL
