#ifndef TF_CONTRACT_H
#define TF_CONTRACT_H
#include "tf_native.h"

/*
 * Bytes of TABLE_SCRATCH that a STEP_CONTRACT uses, by its sizes and strides (buffers and offsets of its views are not looked at). At most
 * max(320 KiB, (m·k + k·n + m·n)·bytes of an element + 192).
 */
double tf_contract_scratch(const word *record);
#endif
