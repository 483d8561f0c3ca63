/**
 * The instructions we use, by their names in the WebAssembly specification (core 2.0, §5.4): one byte, or a prefix byte
 * times 2^16 plus a number that is written as LEB128.
 */
import { unsigned } from './leb.ts';

export const opcodes = {
  unreachable: 0x00, drop: 0x1a, select: 0x1b, return: 0x0f,

  'i32.load': 0x28, 'i64.load': 0x29, 'f32.load': 0x2a, 'f64.load': 0x2b, 'i32.load8_u': 0x2d,
  'i32.store': 0x36, 'i64.store': 0x37, 'f32.store': 0x38, 'f64.store': 0x39, 'i32.store8': 0x3a,

  'i32.eqz': 0x45, 'i32.eq': 0x46, 'i32.ne': 0x47, 'i32.lt_s': 0x48, 'i32.lt_u': 0x49, 'i32.gt_s': 0x4a,
  'i32.gt_u': 0x4b, 'i32.le_s': 0x4c, 'i32.le_u': 0x4d, 'i32.ge_s': 0x4e, 'i32.ge_u': 0x4f,
  'i64.eqz': 0x50, 'i64.eq': 0x51, 'i64.ne': 0x52, 'i64.lt_s': 0x53, 'i64.gt_s': 0x55, 'i64.gt_u': 0x56, 'i64.le_s': 0x57, 'i64.ge_s': 0x59,
  'f32.eq': 0x5b, 'f32.ne': 0x5c, 'f32.lt': 0x5d, 'f32.gt': 0x5e, 'f32.le': 0x5f, 'f32.ge': 0x60,
  'f64.eq': 0x61, 'f64.ne': 0x62, 'f64.lt': 0x63, 'f64.gt': 0x64, 'f64.le': 0x65, 'f64.ge': 0x66,

  'i32.add': 0x6a, 'i32.sub': 0x6b, 'i32.mul': 0x6c, 'i32.and': 0x71, 'i32.or': 0x72, 'i32.xor': 0x73,
  'i32.shl': 0x74, 'i32.shr_s': 0x75, 'i32.shr_u': 0x76,
  'i64.add': 0x7c, 'i64.sub': 0x7d, 'i64.mul': 0x7e, 'i64.and': 0x83, 'i64.or': 0x84, 'i64.xor': 0x85,
  'i64.shl': 0x86, 'i64.shr_s': 0x87, 'i64.shr_u': 0x88,
  'f32.abs': 0x8b, 'f32.neg': 0x8c, 'f32.ceil': 0x8d, 'f32.floor': 0x8e, 'f32.trunc': 0x8f, 'f32.nearest': 0x90, 'f32.sqrt': 0x91,
  'f32.add': 0x92, 'f32.sub': 0x93, 'f32.mul': 0x94, 'f32.div': 0x95, 'f32.min': 0x96, 'f32.max': 0x97, 'f32.copysign': 0x98,
  'f64.abs': 0x99, 'f64.neg': 0x9a, 'f64.ceil': 0x9b, 'f64.floor': 0x9c, 'f64.trunc': 0x9d, 'f64.nearest': 0x9e, 'f64.sqrt': 0x9f,
  'f64.add': 0xa0, 'f64.sub': 0xa1, 'f64.mul': 0xa2, 'f64.div': 0xa3, 'f64.min': 0xa4, 'f64.max': 0xa5, 'f64.copysign': 0xa6,

  'i32.wrap_i64': 0xa7, 'i64.extend_i32_s': 0xac, 'i64.extend_i32_u': 0xad,
  'f32.convert_i32_s': 0xb2, 'f32.convert_i64_s': 0xb4, 'f32.demote_f64': 0xb6,
  'f64.convert_i32_s': 0xb7, 'f64.convert_i64_s': 0xb9, 'f64.promote_f32': 0xbb,
  'i32.reinterpret_f32': 0xbc, 'i64.reinterpret_f64': 0xbd, 'f32.reinterpret_i32': 0xbe, 'f64.reinterpret_i64': 0xbf,
  'i32.trunc_sat_f32_s': 0xfc0000, 'i32.trunc_sat_f64_s': 0xfc0002, 'i64.trunc_sat_f32_s': 0xfc0004, 'i64.trunc_sat_f64_s': 0xfc0006,
  'memory.copy': 0xfc000a, 'memory.fill': 0xfc000b,

  'v128.load': 0xfd0000, 'v128.load8_splat': 0xfd0007, 'v128.load16_splat': 0xfd0008, 'v128.load32_splat': 0xfd0009, 'v128.load64_splat': 0xfd000a,
  'v128.load32_zero': 0xfd005c, 'v128.load64_zero': 0xfd005d, 'v128.store': 0xfd000b, 'v128.const': 0xfd000c,
  'v128.load8_lane': 0xfd0054, 'v128.load32_lane': 0xfd0056, 'v128.load64_lane': 0xfd0057,
  'v128.store8_lane': 0xfd0058, 'v128.store16_lane': 0xfd0059, 'v128.store32_lane': 0xfd005a, 'v128.store64_lane': 0xfd005b,
  'v128.not': 0xfd004d, 'v128.and': 0xfd004e, 'v128.andnot': 0xfd004f, 'v128.or': 0xfd0050, 'v128.xor': 0xfd0051, 'v128.bitselect': 0xfd0052, 'v128.any_true': 0xfd0053, 'i8x16.all_true': 0xfd0063,

  'i8x16.shuffle': 0xfd000d, 'i8x16.neg': 0xfd0061, 'i8x16.narrow_i16x8_s': 0xfd0065,
  'i16x8.narrow_i32x4_s': 0xfd0085, 'i16x8.extend_low_i8x16_s': 0xfd0087, 'i32x4.extend_low_i16x8_s': 0xfd00a7, 'i64x2.extend_low_i32x4_s': 0xfd00c7,

  'i32x4.splat': 0xfd0011, 'i64x2.splat': 0xfd0012, 'f32x4.splat': 0xfd0013, 'f64x2.splat': 0xfd0014,
  'i32x4.extract_lane': 0xfd001b, 'i64x2.extract_lane': 0xfd001d, 'f32x4.extract_lane': 0xfd001f, 'f64x2.extract_lane': 0xfd0021,
  'i32x4.replace_lane': 0xfd001c, 'i64x2.replace_lane': 0xfd001e, 'f32x4.replace_lane': 0xfd0020, 'f64x2.replace_lane': 0xfd0022,

  'i32x4.eq': 0xfd0037, 'i32x4.ne': 0xfd0038, 'i32x4.lt_s': 0xfd0039, 'i32x4.gt_s': 0xfd003b, 'i32x4.le_s': 0xfd003d, 'i32x4.ge_s': 0xfd003f,
  'f32x4.eq': 0xfd0041, 'f32x4.ne': 0xfd0042, 'f32x4.lt': 0xfd0043, 'f32x4.gt': 0xfd0044, 'f32x4.le': 0xfd0045, 'f32x4.ge': 0xfd0046,
  'f64x2.eq': 0xfd0047, 'f64x2.ne': 0xfd0048, 'f64x2.lt': 0xfd0049, 'f64x2.gt': 0xfd004a, 'f64x2.le': 0xfd004b, 'f64x2.ge': 0xfd004c,
  'i64x2.eq': 0xfd00d6, 'i64x2.ne': 0xfd00d7, 'i64x2.lt_s': 0xfd00d8, 'i64x2.gt_s': 0xfd00d9, 'i64x2.le_s': 0xfd00da, 'i64x2.ge_s': 0xfd00db,

  'i32x4.abs': 0xfd00a0, 'i32x4.neg': 0xfd00a1, 'i32x4.shl': 0xfd00ab, 'i32x4.shr_s': 0xfd00ac, 'i32x4.shr_u': 0xfd00ad,
  'i32x4.add': 0xfd00ae, 'i32x4.sub': 0xfd00b1, 'i32x4.mul': 0xfd00b5, 'i32x4.min_s': 0xfd00b6, 'i32x4.max_s': 0xfd00b8,
  'i64x2.abs': 0xfd00c0, 'i64x2.neg': 0xfd00c1, 'i64x2.shl': 0xfd00cb, 'i64x2.shr_s': 0xfd00cc, 'i64x2.shr_u': 0xfd00cd,
  'i64x2.add': 0xfd00ce, 'i64x2.sub': 0xfd00d1, 'i64x2.mul': 0xfd00d5,
  'f32x4.ceil': 0xfd0067, 'f32x4.floor': 0xfd0068, 'f32x4.trunc': 0xfd0069, 'f32x4.nearest': 0xfd006a,
  'f32x4.abs': 0xfd00e0, 'f32x4.neg': 0xfd00e1, 'f32x4.sqrt': 0xfd00e3, 'f32x4.add': 0xfd00e4, 'f32x4.sub': 0xfd00e5,
  'f32x4.mul': 0xfd00e6, 'f32x4.div': 0xfd00e7, 'f32x4.min': 0xfd00e8, 'f32x4.max': 0xfd00e9, 'f32x4.pmin': 0xfd00ea, 'f32x4.pmax': 0xfd00eb,
  'f64x2.ceil': 0xfd0074, 'f64x2.floor': 0xfd0075, 'f64x2.trunc': 0xfd007a, 'f64x2.nearest': 0xfd0094,
  'f64x2.abs': 0xfd00ec, 'f64x2.neg': 0xfd00ed, 'f64x2.sqrt': 0xfd00ef, 'f64x2.add': 0xfd00f0, 'f64x2.sub': 0xfd00f1,
  'f64x2.mul': 0xfd00f2, 'f64x2.div': 0xfd00f3, 'f64x2.min': 0xfd00f4, 'f64x2.max': 0xfd00f5, 'f64x2.pmin': 0xfd00f6, 'f64x2.pmax': 0xfd00f7,

  'f32x4.demote_f64x2_zero': 0xfd005e, 'f64x2.promote_low_f32x4': 0xfd005f,
  'i32x4.trunc_sat_f32x4_s': 0xfd00f8, 'f32x4.convert_i32x4_s': 0xfd00fa, 'i32x4.trunc_sat_f64x2_s_zero': 0xfd00fc, 'f64x2.convert_low_i32x4_s': 0xfd00fe,
} as const;

export type Opcode = keyof typeof opcodes;

export function opcodeBytes(opcode: Opcode): readonly number[] {
  const code: number = opcodes[opcode];
  return code < 0x100 ? [code] : [code >>> 16, ...unsigned(code & 0xffff)];
}
