/*
 * Loops with a monoid, in two ways. By rows: the folded elements of a result are streamed, or the elements of several results, if they are few.
 * By columns: results lie side by side along one axis, and each pass takes elements of all of them.
 */
#include "fold.h"
#include "loop.h"
#include <string.h>

/* Bytes of a row of results. */
enum { ROW_BYTES = 2048 };
/* Bytes for the stack of the pairing, per lane. */
enum { STACK_BYTES = 65536 };

typedef struct {
  const tf_pass *pass;
  int rank, folded, kept;
  i64 *extents;   /* of the axes, kept ones first */
  i64 *strides;   /* of the operands: [operand·rank + axis] */
  char **bases;   /* of the operands */
  i64 results, elements; /* how many, and of each how many are folded */
  const tf_fold **folds;
  char *(*out)[2]; /* of each write and lane, results that wait for being stored */
} reduction;

static void open_reduction(reduction *r, const tf_run *run, const word *record, const tf_pass *pass, tf_memory *memory, i64 outer) {
  int operands = pass->reads + pass->writes;
  r->pass = pass;
  r->rank = (int)record[LOOP_RANK];
  r->folded = (int)record[LOOP_FOLDED];
  r->kept = r->rank - r->folded;
  r->extents = tf_take_memory(memory, r->rank * 8);
  r->strides = tf_take_memory(memory, (i64)operands * r->rank * 8);
  r->bases = tf_take_memory(memory, operands * 8);
  r->results = r->elements = 1;
  for (int axis = 0; axis < r->rank; axis++) {
    r->extents[axis] = axis == 0 ? outer : (i64)record[LOOP_EXTENTS + axis];
    *(axis < r->kept ? &r->results : &r->elements) *= r->extents[axis];
  }
  const word *view = record + LOOP_EXTENTS + r->rank;
  for (int o = 0; o < operands; o++, view += VIEW_STRIDES + r->rank) {
    r->bases[o] = tf_place(run, view);
    for (int axis = 0; axis < r->rank; axis++) r->strides[o * r->rank + axis] = (i64)view[VIEW_STRIDES + axis];
  }
  r->folds = tf_take_memory(memory, pass->writes * 8);
  r->out = tf_take_memory(memory, pass->writes * 16);
  for (int w = 0; w < pass->writes; w++) {
    r->folds[w] = tf_fold_of(pass->monoid, (int)pass->write_words[3 * w]);
    for (int lane = 0; lane < 2; lane++) {
      int is_there = lane == 0 || pass->write_words[3 * w + 2] >= 0;
      r->out[w][lane] = is_there ? tf_take_memory(memory, REGISTER_BYTES) : NULL;
    }
  }
}

/* A space along `axes` of the reads, or of the writes. */
static void open_part(const reduction *r, tf_space *space, tf_memory *memory, const int *axes, int count, int of_writes) {
  int begin = of_writes ? r->pass->reads : 0;
  int operands = of_writes ? r->pass->writes : r->pass->reads;
  tf_open_space(space, memory, count, operands);
  for (int i = 0; i < count; i++) space->extents[i] = r->extents[axes[i]];
  for (int o = 0; o < operands; o++) {
    tf_open_operand(&space->operand[o], r->pass->read_words + 3 * (begin + o), r->bases[begin + o]);
    for (int i = 0; i < count; i++) space->operand[o].strides[i] = r->strides[(begin + o) * r->rank + axes[i]];
  }
}

static void load_all(const reduction *r, tf_space *space, i64 n, i64 splat) {
  tf_take_block(space, n);
  for (int o = 0; o < space->operands; o++) tf_load(space, &space->operand[o], r->pass->at, r->pass->home, n, splat);
  tf_run_pass(r->pass, 0, r->pass->operations, n);
  tf_pass_block(space, n);
}

/* Where the elements of a write are, by lane. */
static const char *element_of(const reduction *r, int write, int lane) {
  int name = (int)r->pass->write_words[3 * write + 1 + lane];
  return name < 0 ? NULL : r->pass->at[name];
}

static void store_results(const reduction *r, tf_space *out, i64 n) {
  tf_take_block(out, n);
  for (int w = 0; w < r->pass->writes; w++) tf_store(out, &out->operand[w], r->out[w][0], r->out[w][1], n);
  tf_pass_block(out, n);
}

static i64 least(i64 a, i64 b) { return a < b ? a : b; }

// ---------------------------------------------------------------- by rows

static void reduce_short_rows(const reduction *r, tf_space *space, tf_space *out) {
  i64 most = BLOCK / r->elements, splat = least(most, r->results) * r->elements;
  for (i64 done = 0, count; done < r->results; done += count) {
    count = least(most, r->results - done);
    load_all(r, space, count * r->elements, splat);
    for (int w = 0; w < r->pass->writes; w++) r->folds[w]->segments(element_of(r, w, 0), element_of(r, w, 1), count, r->elements, r->out[w][0], r->out[w][1]);
    store_results(r, out, count);
  }
}

static void reduce_long_rows(const reduction *r, tf_space *space, tf_space *out, tf_tree *trees) {
  for (i64 done = 0; done < r->results; done++) {
    for (int i = 0; i < 2 * r->pass->writes; i++) trees[i].block = trees[i].depth = 0;
    for (i64 at = 0, n; at < r->elements; at += n) {
      n = least(BLOCK, r->elements - at);
      load_all(r, space, n, BLOCK);
      for (int w = 0; w < r->pass->writes; w++) r->folds[w]->blocks(&trees[2 * w], element_of(r, w, 0), element_of(r, w, 1), n);
    }
    for (int w = 0; w < r->pass->writes; w++) r->folds[w]->finish(&trees[2 * w], r->out[w][0], r->out[w][1]);
    store_results(r, out, 1);
  }
}

static void reduce_rows(const reduction *r, tf_memory *memory, int *axes) {
  for (int axis = 0; axis < r->rank; axis++) axes[axis] = axis;
  tf_space space, out;
  open_part(r, &space, memory, axes, r->rank, 0);
  open_part(r, &out, memory, axes, r->kept, 1);
  tf_merge_axes(&space);
  tf_merge_axes(&out);
  if (r->elements <= BLOCK) reduce_short_rows(r, &space, &out);
  else reduce_long_rows(r, &space, &out, tf_take_memory(memory, 2 * r->pass->writes * (i64)sizeof(tf_tree)));
}

// ---------------------------------------------------------------- by columns

/* The tree for a row of results: its lanes are rows of `width` elements, one after the other. */
typedef struct {
  const tf_fold *fold;
  int bytes;
  char *lanes[2];
  char *stack[2];
  i64 done; /* elements of each result */
  int depth;
} column_tree;

static void combine_at(const column_tree *tree, i64 to, char *const *with, i64 from, i64 n) {
  char *second = tree->lanes[1] == NULL ? NULL : tree->lanes[1] + to * tree->bytes;
  const char *with_second = with[1] == NULL ? NULL : with[1] + from * tree->bytes;
  tree->fold->combine(tree->lanes[0] + to * tree->bytes, second, with[0] + from * tree->bytes, with_second, n);
}

static void pop_and_combine(column_tree *tree, i64 width) {
  tree->depth--;
  combine_at(tree, 0, tree->stack, tree->depth * width, width);
}

/* The present block's result: the lanes' fold, then the pairing. */
static void end_block(column_tree *tree, i64 width) {
  for (i64 half = TREE_LANES / 2; half >= 1; half /= 2) combine_at(tree, 0, tree->lanes, half * width, half * width);
  for (i64 bits = (tree->done - 1) / TREE_BLOCK; bits & 1; bits >>= 1) pop_and_combine(tree, width);
  for (int lane = 0; lane < 2; lane++) {
    if (tree->lanes[lane] != NULL) memcpy(tree->stack[lane] + tree->depth * width * tree->bytes, tree->lanes[lane], width * tree->bytes);
  }
  tree->depth++;
}

/* Rows of elements, one after the other, `elements` for each result in all. */
static void fold_rows(column_tree *tree, char *const *rows, i64 count, i64 width, i64 elements) {
  for (i64 at = 0; at < count;) {
    i64 lane = tree->done % TREE_LANES;
    if (tree->done % TREE_BLOCK == 0) tree->fold->identities(tree->lanes[0], tree->lanes[1], TREE_LANES * width);
    i64 taken = least(count - at, TREE_LANES - lane);
    combine_at(tree, lane * width, rows, at * width, taken * width);
    at += taken;
    tree->done += taken;
    if (tree->done % TREE_BLOCK == 0 || tree->done == elements) end_block(tree, width);
  }
}

/* The results, at the begin of the lanes. */
static void finish_rows(column_tree *tree, i64 width) {
  tree->depth--;
  while (tree->depth > 0) pop_and_combine(tree, width);
  tree->done = 0;
}

static void fold_block(const reduction *r, column_tree *trees, i64 skip, i64 count, i64 width) {
  for (int w = 0; w < r->pass->writes; w++) {
    char *rows[2];
    for (int lane = 0; lane < 2; lane++) {
      const char *element = element_of(r, w, lane);
      rows[lane] = element == NULL ? NULL : (char *)element + skip * width * trees[w].bytes;
    }
    fold_rows(&trees[w], rows, count, width, r->elements);
  }
}

/* The finished results of a row, behind the `skip` that wait already. */
static void keep_results(const reduction *r, column_tree *trees, i64 skip, i64 width) {
  for (int w = 0; w < r->pass->writes; w++) {
    finish_rows(&trees[w], width);
    for (int lane = 0; lane < 2; lane++) {
      if (r->out[w][lane] != NULL) memcpy(r->out[w][lane] + skip * trees[w].bytes, trees[w].lanes[lane], width * trees[w].bytes);
    }
  }
}

/* All results whose index along the row's axis is in one range. */
static void reduce_columns_of(const reduction *r, column_tree *trees, tf_space *space, tf_space *out, i64 outer, i64 width) {
  i64 group = r->elements * width;
  if (group <= BLOCK) {
    i64 most = BLOCK / group, splat = least(most, outer) * group;
    for (i64 done = 0, count; done < outer; done += count) {
      count = least(most, outer - done);
      load_all(r, space, count * group, splat);
      for (i64 i = 0; i < count; i++) {
        fold_block(r, trees, i * r->elements, r->elements, width);
        keep_results(r, trees, i * width, width);
      }
      store_results(r, out, count * width);
    }
    return;
  }
  i64 rows = BLOCK / width;
  if (rows > TREE_LANES) rows -= rows % TREE_LANES;
  for (i64 done = 0; done < outer; done++) {
    for (i64 at = 0, count; at < r->elements; at += count) {
      count = least(rows, r->elements - at);
      load_all(r, space, count * width, rows * width);
      fold_block(r, trees, 0, count, width);
    }
    keep_results(r, trees, 0, width);
    store_results(r, out, width);
  }
}

static i64 greatest_width(const reduction *r) {
  i64 depth = 1;
  for (i64 blocks = r->elements / TREE_BLOCK; blocks > 0; blocks >>= 1) depth++;
  i64 width = BLOCK;
  for (int w = 0; w < r->pass->writes; w++) {
    int dtype = (int)r->pass->write_words[3 * w];
    i64 bytes = tf_dtype_bytes[dtype] / (dtype == TF_COMPLEX64 || dtype == TF_COMPLEX128 ? 2 : 1);
    width = least(width, least(ROW_BYTES / bytes, STACK_BYTES / (depth * bytes)));
  }
  return width;
}

static column_tree *open_trees(const reduction *r, tf_memory *memory) {
  column_tree *trees = tf_take_memory(memory, r->pass->writes * (i64)sizeof(column_tree));
  for (int w = 0; w < r->pass->writes; w++) {
    int dtype = (int)r->pass->write_words[3 * w];
    int is_complex = dtype == TF_COMPLEX64 || dtype == TF_COMPLEX128;
    trees[w] = (column_tree){.fold = r->folds[w], .bytes = tf_dtype_bytes[dtype] / (is_complex ? 2 : 1)};
    for (int lane = 0; lane <= is_complex; lane++) {
      trees[w].lanes[lane] = tf_take_memory(memory, TREE_LANES * (i64)REGISTER_BYTES);
      trees[w].stack[lane] = tf_take_memory(memory, STACK_BYTES);
    }
  }
  return trees;
}

/* `column`: the axis along which results lie side by side. */
static void reduce_columns(reduction *r, tf_memory *memory, int *axes, int column) {
  int count = 0;
  for (int axis = 0; axis < r->kept; axis++) if (axis != column) axes[count++] = axis;
  int outer_axes = count;
  for (int axis = r->kept; axis < r->rank; axis++) axes[count++] = axis;
  axes[count] = column;
  column_tree *trees = open_trees(r, memory);
  i64 extent = r->extents[column], outer = r->results / extent, most = greatest_width(r);
  // Rows of about equal length.
  i64 width = (extent + (extent + most - 1) / most - 1) / ((extent + most - 1) / most);
  tf_memory before = *memory;
  for (i64 at = 0; at < extent; at += width) {
    tf_space space, out;
    *memory = before;
    r->extents[column] = least(width, extent - at);
    open_part(r, &space, memory, axes, r->rank, 0);
    axes[outer_axes] = column;
    open_part(r, &out, memory, axes, outer_axes + 1, 1);
    if (r->folded > 0) axes[outer_axes] = r->kept;
    tf_merge_axes(&space);
    tf_merge_axes(&out);
    reduce_columns_of(r, trees, &space, &out, outer, r->extents[column]);
    for (int o = 0; o < r->pass->reads + r->pass->writes; o++) r->bases[o] += width * r->strides[o * r->rank + column];
  }
}

/* How many reads do not lie one after the other, nor stand still, along the axis. */
static int scattered_reads(const reduction *r, int axis) {
  int count = 0;
  for (int o = 0; o < r->pass->reads; o++) {
    i64 stride = r->strides[o * r->rank + axis];
    count += stride != 0 && stride != tf_dtype_bytes[(int)r->pass->read_words[3 * o]];
  }
  return count;
}

static int innermost(const reduction *r, int begin, int end) {
  for (int axis = end - 1; axis >= begin; axis--) if (r->extents[axis] > 1) return axis;
  return -1;
}

/* The axis of the results along which more reads lie one after the other than along the folded ones, or −1. */
static int column_axis(const reduction *r) {
  int folded = innermost(r, r->kept, r->rank), best = -1;
  if (folded < 0) return -1;
  int fewest = scattered_reads(r, folded);
  for (int axis = r->kept - 1; axis >= 0; axis--) {
    int count = scattered_reads(r, axis);
    if (r->extents[axis] > 1 && count < fewest) {
      fewest = count;
      best = axis;
    }
  }
  return best;
}

static void write_identities(const reduction *r, tf_memory *memory, int *axes) {
  for (int axis = 0; axis < r->kept; axis++) axes[axis] = axis;
  tf_space out;
  open_part(r, &out, memory, axes, r->kept, 1);
  tf_merge_axes(&out);
  i64 most = least(BLOCK, r->results);
  for (int w = 0; w < r->pass->writes; w++) r->folds[w]->identities(r->out[w][0], r->out[w][1], most);
  for (i64 done = 0; done < r->results; done += most) store_results(r, &out, least(most, r->results - done));
}

void tf_reduce(const tf_run *run, const word *record, tf_pass *pass, tf_memory *memory, i64 outer) {
  reduction r;
  open_reduction(&r, run, record, pass, memory, outer);
  if (r.results == 0) return;
  int *axes = tf_take_memory(memory, (r.rank + 1) * (i64)sizeof(int));
  int column = r.elements == 0 ? -1 : column_axis(&r);
  if (r.elements == 0) write_identities(&r, memory, axes);
  else if (column >= 0) reduce_columns(&r, memory, axes, column);
  else reduce_rows(&r, memory, axes);
}
