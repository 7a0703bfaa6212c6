//===- FoldKernel.cpp - FoldKernel.cl as PTX ------------------------------===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Made by utils/make-fold-kernel.sh; do not edit.
//
//===----------------------------------------------------------------------===//

#include "NCCL/Fold.h"

const char dist::rt::foldKernelPtx[] = R"ptx(
.version 7.0
.target sm_75
.address_size 64
.visible .func __clang_ocl_kern_imp_dist_fold
(
	.param .b64 __clang_ocl_kern_imp_dist_fold_param_0,
	.param .b64 __clang_ocl_kern_imp_dist_fold_param_1,
	.param .b64 __clang_ocl_kern_imp_dist_fold_param_2,
	.param .b64 __clang_ocl_kern_imp_dist_fold_param_3,
	.param .b64 __clang_ocl_kern_imp_dist_fold_param_4,
	.param .b64 __clang_ocl_kern_imp_dist_fold_param_5,
	.param .b64 __clang_ocl_kern_imp_dist_fold_param_6,
	.param .b64 __clang_ocl_kern_imp_dist_fold_param_7,
	.param .b64 __clang_ocl_kern_imp_dist_fold_param_8,
	.param .b32 __clang_ocl_kern_imp_dist_fold_param_9,
	.param .b32 __clang_ocl_kern_imp_dist_fold_param_10
)
;
.visible .entry dist_fold(
	.param .u64 .ptr .global .align 1 dist_fold_param_0,
	.param .u64 dist_fold_param_1,
	.param .u64 dist_fold_param_2,
	.param .u64 dist_fold_param_3,
	.param .u64 .ptr .global .align 1 dist_fold_param_4,
	.param .u64 dist_fold_param_5,
	.param .u64 dist_fold_param_6,
	.param .u64 dist_fold_param_7,
	.param .u64 dist_fold_param_8,
	.param .u32 dist_fold_param_9,
	.param .u32 dist_fold_param_10
)
{
	.reg .b32 	%r<3>;
	.reg .b64 	%rd<5>;
	ld.param.b64 	%rd1, [dist_fold_param_0];
	{
	.param .b64 	param0;
	.param .b64 	param1;
	.param .b64 	param2;
	.param .b64 	param3;
	.param .b64 	param4;
	.param .b64 	param5;
	.param .b64 	param6;
	.param .b64 	param7;
	.param .b64 	param8;
	.param .b32 	param9;
	.param .b32 	param10;
	ld.param.b32 	%r1, [dist_fold_param_10];
	st.param.b32 	[param10], %r1;
	ld.param.b32 	%r2, [dist_fold_param_9];
	st.param.b32 	[param9], %r2;
	ld.param.b64 	%rd2, [dist_fold_param_8];
	st.param.b64 	[param8], %rd2;
	ld.param.b64 	%rd3, [dist_fold_param_4];
	st.param.b64 	[param4], %rd3;
	ld.param.b64 	%rd4, [dist_fold_param_2];
	st.param.b64 	[param2], %rd4;
	st.param.b64 	[param0], %rd1;
	call.uni __clang_ocl_kern_imp_dist_fold, (param0, param1, param2, param3, param4, param5, param6, param7, param8, param9, param10);
	}
	ret;
}
.visible .func __clang_ocl_kern_imp_dist_fold(
	.param .b64 __clang_ocl_kern_imp_dist_fold_param_0,
	.param .b64 __clang_ocl_kern_imp_dist_fold_param_1,
	.param .b64 __clang_ocl_kern_imp_dist_fold_param_2,
	.param .b64 __clang_ocl_kern_imp_dist_fold_param_3,
	.param .b64 __clang_ocl_kern_imp_dist_fold_param_4,
	.param .b64 __clang_ocl_kern_imp_dist_fold_param_5,
	.param .b64 __clang_ocl_kern_imp_dist_fold_param_6,
	.param .b64 __clang_ocl_kern_imp_dist_fold_param_7,
	.param .b64 __clang_ocl_kern_imp_dist_fold_param_8,
	.param .b32 __clang_ocl_kern_imp_dist_fold_param_9,
	.param .b32 __clang_ocl_kern_imp_dist_fold_param_10
)
{
	.reg .pred 	%p<37>;
	.reg .b16 	%rs<12>;
	.reg .b32 	%r<32>;
	.reg .b64 	%rd<91>;
	ld.param.b32 	%r7, [__clang_ocl_kern_imp_dist_fold_param_10];
	ld.param.b64 	%rd28, [__clang_ocl_kern_imp_dist_fold_param_8];
	ld.param.b64 	%rd27, [__clang_ocl_kern_imp_dist_fold_param_4];
	ld.param.b64 	%rd26, [__clang_ocl_kern_imp_dist_fold_param_2];
	ld.param.b64 	%rd25, [__clang_ocl_kern_imp_dist_fold_param_0];
	mov.u32 	%r8, %ctaid.x;
	mov.u32 	%r9, %ntid.x;
	mul.wide.u32 	%rd1, %r8, %r9;
	mov.u32 	%r10, %tid.x;
	cvt.u64.u32 	%rd2, %r10;
	add.s64 	%rd3, %rd1, %rd2;
	mov.u32 	%r11, %nctaid.x;
	mul.wide.u32 	%rd4, %r9, %r11;
	setp.lt.s32 	%p1, %r7, 6;
	@%p1 bra 	$L__BB1_11;
	setp.ge.u64 	%p31, %rd3, %rd26;
	@%p31 bra 	$L__BB1_50;
	add.s64 	%rd5, %rd28, -1;
	add.s64 	%rd70, %rd26, %rd1;
	add.s64 	%rd71, %rd70, %rd2;
	add.s64 	%rd74, %rd27, %rd71;
	setp.lt.s64 	%p32, %rd28, 2;
	setp.eq.b32 	%p33, %r7, 7;
	setp.ne.b32 	%p34, %r7, 6;
	bra.uni 	$L__BB1_3;
$L__BB1_4:
	add.s64 	%rd73, %rd25, %rd3;
	st.global.b8 	[%rd73], %rs11;
	add.s64 	%rd3, %rd3, %rd4;
	add.s64 	%rd74, %rd74, %rd4;
	setp.lt.u64 	%p36, %rd3, %rd26;
	@%p36 bra 	$L__BB1_3;
	bra.uni 	$L__BB1_50;
$L__BB1_3:
	.pragma "nounroll";
	add.s64 	%rd72, %rd27, %rd3;
	ld.global.b8 	%rs11, [%rd72];
	mov.b64 	%rd75, %rd74;
	mov.b64 	%rd76, %rd5;
	@%p32 bra 	$L__BB1_4;
	bra.uni 	$L__BB1_5;
$L__BB1_8:
	or.b16 	%rs11, %rs1, %rs11;
$L__BB1_10:
	add.s64 	%rd76, %rd76, -1;
	add.s64 	%rd75, %rd75, %rd26;
	setp.eq.b64 	%p35, %rd76, 0;
	@%p35 bra 	$L__BB1_4;
$L__BB1_5:
	.pragma "nounroll";
	ld.global.b8 	%rs1, [%rd75];
	@%p33 bra 	$L__BB1_8;
	@%p34 bra 	$L__BB1_9;
	and.b16 	%rs11, %rs1, %rs11;
	bra.uni 	$L__BB1_10;
$L__BB1_9:
	xor.b16 	%rs11, %rs1, %rs11;
	bra.uni 	$L__BB1_10;
$L__BB1_11:
	ld.param.b32 	%r6, [__clang_ocl_kern_imp_dist_fold_param_9];
	add.s32 	%r12, %r6, -2;
	setp.gt.u32 	%p2, %r12, 14;
	@%p2 bra 	$L__BB1_50;
	$L_brx_0: .branchtargets
		$L__BB1_13,
		$L__BB1_50,
		$L__BB1_50,
		$L__BB1_50,
		$L__BB1_27,
		$L__BB1_50,
		$L__BB1_50,
		$L__BB1_50,
		$L__BB1_50,
		$L__BB1_50,
		$L__BB1_50,
		$L__BB1_50,
		$L__BB1_50,
		$L__BB1_41,
		$L__BB1_46;
	brx.idx 	%r12, $L_brx_0;
$L__BB1_13:
	shr.u64 	%rd6, %rd26, 1;
	setp.ge.u64 	%p23, %rd3, %rd6;
	@%p23 bra 	$L__BB1_50;
	cvt.u32.u64 	%r1, %rd28;
	add.s64 	%rd7, %rd28, -1;
	shl.b64 	%rd8, %rd6, 1;
	shl.b64 	%rd65, %rd3, 1;
	add.s64 	%rd66, %rd8, %rd65;
	add.s64 	%rd77, %rd27, %rd66;
	shl.b64 	%rd9, %rd4, 1;
	setp.lt.s64 	%p24, %rd28, 2;
	setp.eq.b32 	%p25, %r7, 4;
	setp.eq.b32 	%p26, %r7, 3;
	setp.ne.b32 	%p27, %r7, 2;
	bra.uni 	$L__BB1_15;
$L__BB1_18:
	add.s64 	%rd69, %rd25, %rd67;
	st.global.b16 	[%rd69], %r28;
	add.s64 	%rd3, %rd3, %rd4;
	add.s64 	%rd77, %rd77, %rd9;
	setp.lt.u64 	%p30, %rd3, %rd6;
	@%p30 bra 	$L__BB1_15;
	bra.uni 	$L__BB1_50;
$L__BB1_15:
	.pragma "nounroll";
	shl.b64 	%rd67, %rd3, 1;
	add.s64 	%rd68, %rd27, %rd67;
	ld.global.s16 	%r28, [%rd68];
	mov.b64 	%rd78, %rd77;
	mov.b64 	%rd79, %rd7;
	@%p24 bra 	$L__BB1_16;
	bra.uni 	$L__BB1_19;
$L__BB1_16:
	setp.eq.b32 	%p29, %r7, 5;
	@%p29 bra 	$L__BB1_17;
	bra.uni 	$L__BB1_18;
$L__BB1_17:
	div.s32 	%r28, %r28, %r1;
	bra.uni 	$L__BB1_18;
$L__BB1_23:
	min.s32 	%r28, %r28, %r2;
$L__BB1_26:
	add.s64 	%rd79, %rd79, -1;
	add.s64 	%rd78, %rd78, %rd8;
	setp.eq.b64 	%p28, %rd79, 0;
	@%p28 bra 	$L__BB1_16;
$L__BB1_19:
	.pragma "nounroll";
	ld.global.b16 	%rs2, [%rd78];
	cvt.s32.s16 	%r2, %rs2;
	@%p25 bra 	$L__BB1_24;
	@%p26 bra 	$L__BB1_23;
	cvt.u16.u32 	%rs10, %r28;
	@%p27 bra 	$L__BB1_25;
	mul.lo.s16 	%rs8, %rs2, %rs10;
	cvt.s32.s16 	%r28, %rs8;
	bra.uni 	$L__BB1_26;
$L__BB1_24:
	max.s32 	%r28, %r28, %r2;
	bra.uni 	$L__BB1_26;
$L__BB1_25:
	add.s16 	%rs9, %rs2, %rs10;
	cvt.s32.s16 	%r28, %rs9;
	bra.uni 	$L__BB1_26;
$L__BB1_41:
	shr.u64 	%rd14, %rd26, 3;
	setp.ge.u64 	%p9, %rd3, %rd14;
	@%p9 bra 	$L__BB1_50;
	cvt.rn.f32.s64 	%r13, %rd28;
	rcp.rn.f32 	%r5, %r13;
	add.s64 	%rd15, %rd28, -1;
	add.s64 	%rd52, %rd14, %rd1;
	add.s64 	%rd53, %rd52, %rd2;
	shl.b64 	%rd54, %rd53, 3;
	add.s64 	%rd55, %rd54, %rd27;
	add.s64 	%rd83, %rd55, 4;
	shl.b64 	%rd16, %rd4, 3;
	shl.b64 	%rd17, %rd14, 3;
	setp.lt.s64 	%p10, %rd28, 2;
	setp.eq.b32 	%p11, %r7, 2;
	setp.eq.b32 	%p13, %r7, 5;
	bra.uni 	$L__BB1_43;
$L__BB1_44:
	shl.b64 	%rd18, %rd3, 1;
	mul.rn.f32 	%r24, %r5, %r31;
	mul.rn.f32 	%r25, %r5, %r30;
	selp.f32 	%r26, %r25, %r30, %p13;
	selp.f32 	%r27, %r24, %r31, %p13;
	shl.b64 	%rd58, %rd18, 2;
	add.s64 	%rd59, %rd25, %rd58;
	st.global.b32 	[%rd59], %r27;
	st.global.b32 	[%rd59+4], %r26;
	add.s64 	%rd3, %rd3, %rd4;
	add.s64 	%rd83, %rd83, %rd16;
	setp.lt.u64 	%p14, %rd3, %rd14;
	@%p14 bra 	$L__BB1_43;
	bra.uni 	$L__BB1_50;
$L__BB1_43:
	.pragma "nounroll";
	shl.b64 	%rd56, %rd3, 3;
	add.s64 	%rd57, %rd27, %rd56;
	ld.global.b32 	%r31, [%rd57];
	ld.global.b32 	%r30, [%rd57+4];
	mov.b64 	%rd84, %rd83;
	mov.b64 	%rd85, %rd15;
	@%p10 bra 	$L__BB1_44;
$L__BB1_45:
	.pragma "nounroll";
	ld.global.b32 	%r14, [%rd84+-4];
	ld.global.b32 	%r15, [%rd84];
	mul.rn.f32 	%r16, %r31, %r14;
	mul.rn.f32 	%r17, %r30, %r15;
	sub.rn.f32 	%r18, %r16, %r17;
	mul.rn.f32 	%r19, %r31, %r15;
	mul.rn.f32 	%r20, %r30, %r14;
	add.rn.f32 	%r21, %r20, %r19;
	add.rn.f32 	%r22, %r31, %r14;
	selp.f32 	%r31, %r18, %r22, %p11;
	add.rn.f32 	%r23, %r30, %r15;
	selp.f32 	%r30, %r21, %r23, %p11;
	add.s64 	%rd85, %rd85, -1;
	add.s64 	%rd84, %rd84, %rd17;
	setp.eq.b64 	%p12, %rd85, 0;
	@%p12 bra 	$L__BB1_44;
	bra.uni 	$L__BB1_45;
$L__BB1_27:
	shr.u64 	%rd10, %rd26, 1;
	setp.ge.u64 	%p15, %rd3, %rd10;
	@%p15 bra 	$L__BB1_50;
	cvt.u32.u64 	%r3, %rd28;
	add.s64 	%rd11, %rd28, -1;
	shl.b64 	%rd12, %rd10, 1;
	shl.b64 	%rd60, %rd3, 1;
	add.s64 	%rd61, %rd12, %rd60;
	add.s64 	%rd80, %rd27, %rd61;
	shl.b64 	%rd13, %rd4, 1;
	setp.lt.s64 	%p16, %rd28, 2;
	setp.eq.b32 	%p17, %r7, 4;
	setp.eq.b32 	%p18, %r7, 3;
	setp.ne.b32 	%p19, %r7, 2;
	bra.uni 	$L__BB1_29;
$L__BB1_32:
	add.s64 	%rd64, %rd25, %rd62;
	st.global.b16 	[%rd64], %r29;
	add.s64 	%rd3, %rd3, %rd4;
	add.s64 	%rd80, %rd80, %rd13;
	setp.lt.u64 	%p22, %rd3, %rd10;
	@%p22 bra 	$L__BB1_29;
	bra.uni 	$L__BB1_50;
$L__BB1_29:
	.pragma "nounroll";
	shl.b64 	%rd62, %rd3, 1;
	add.s64 	%rd63, %rd27, %rd62;
	ld.global.b16 	%r29, [%rd63];
	mov.b64 	%rd81, %rd80;
	mov.b64 	%rd82, %rd11;
	@%p16 bra 	$L__BB1_30;
	bra.uni 	$L__BB1_33;
$L__BB1_30:
	setp.eq.b32 	%p21, %r7, 5;
	@%p21 bra 	$L__BB1_31;
	bra.uni 	$L__BB1_32;
$L__BB1_31:
	div.u32 	%r29, %r29, %r3;
	bra.uni 	$L__BB1_32;
$L__BB1_37:
	min.u32 	%r29, %r29, %r4;
$L__BB1_40:
	add.s64 	%rd82, %rd82, -1;
	add.s64 	%rd81, %rd81, %rd12;
	setp.eq.b64 	%p20, %rd82, 0;
	@%p20 bra 	$L__BB1_30;
$L__BB1_33:
	.pragma "nounroll";
	ld.global.b16 	%rs3, [%rd81];
	cvt.u32.u16 	%r4, %rs3;
	@%p17 bra 	$L__BB1_38;
	@%p18 bra 	$L__BB1_37;
	@%p19 bra 	$L__BB1_39;
	cvt.u16.u32 	%rs4, %r29;
	mul.lo.s16 	%rs5, %rs3, %rs4;
	cvt.u32.u16 	%r29, %rs5;
	bra.uni 	$L__BB1_40;
$L__BB1_38:
	max.u32 	%r29, %r29, %r4;
	bra.uni 	$L__BB1_40;
$L__BB1_39:
	cvt.u16.u32 	%rs6, %r29;
	add.s16 	%rs7, %rs3, %rs6;
	cvt.u32.u16 	%r29, %rs7;
	bra.uni 	$L__BB1_40;
$L__BB1_46:
	shr.u64 	%rd19, %rd26, 4;
	setp.ge.u64 	%p3, %rd3, %rd19;
	@%p3 bra 	$L__BB1_50;
	cvt.rn.f64.s64 	%rd29, %rd28;
	rcp.rn.f64 	%rd20, %rd29;
	add.s64 	%rd21, %rd28, -1;
	add.s64 	%rd30, %rd19, %rd1;
	add.s64 	%rd31, %rd30, %rd2;
	shl.b64 	%rd32, %rd31, 4;
	add.s64 	%rd33, %rd32, %rd27;
	add.s64 	%rd86, %rd33, 8;
	shl.b64 	%rd22, %rd4, 4;
	shl.b64 	%rd23, %rd19, 4;
	setp.lt.s64 	%p4, %rd28, 2;
	setp.eq.b32 	%p5, %r7, 2;
	setp.eq.b32 	%p7, %r7, 5;
	bra.uni 	$L__BB1_48;
$L__BB1_49:
	shl.b64 	%rd24, %rd3, 1;
	mul.rn.f64 	%rd46, %rd20, %rd87;
	mul.rn.f64 	%rd47, %rd20, %rd88;
	selp.f64 	%rd48, %rd46, %rd87, %p7;
	selp.f64 	%rd49, %rd47, %rd88, %p7;
	shl.b64 	%rd50, %rd24, 3;
	add.s64 	%rd51, %rd25, %rd50;
	st.global.b64 	[%rd51], %rd48;
	st.global.b64 	[%rd51+8], %rd49;
	add.s64 	%rd3, %rd3, %rd4;
	add.s64 	%rd86, %rd86, %rd22;
	setp.lt.u64 	%p8, %rd3, %rd19;
	@%p8 bra 	$L__BB1_48;
	bra.uni 	$L__BB1_50;
$L__BB1_48:
	.pragma "nounroll";
	shl.b64 	%rd34, %rd3, 4;
	add.s64 	%rd35, %rd27, %rd34;
	ld.global.b64 	%rd87, [%rd35];
	ld.global.b64 	%rd88, [%rd35+8];
	mov.b64 	%rd89, %rd86;
	mov.b64 	%rd90, %rd21;
	@%p4 bra 	$L__BB1_49;
$L__BB1_51:
	.pragma "nounroll";
	ld.global.b64 	%rd36, [%rd89+-8];
	ld.global.b64 	%rd37, [%rd89];
	mul.rn.f64 	%rd38, %rd87, %rd36;
	mul.rn.f64 	%rd39, %rd88, %rd37;
	sub.rn.f64 	%rd40, %rd38, %rd39;
	mul.rn.f64 	%rd41, %rd87, %rd37;
	mul.rn.f64 	%rd42, %rd88, %rd36;
	add.rn.f64 	%rd43, %rd42, %rd41;
	add.rn.f64 	%rd44, %rd87, %rd36;
	selp.f64 	%rd87, %rd40, %rd44, %p5;
	add.rn.f64 	%rd45, %rd88, %rd37;
	selp.f64 	%rd88, %rd43, %rd45, %p5;
	add.s64 	%rd90, %rd90, -1;
	add.s64 	%rd89, %rd89, %rd23;
	setp.eq.b64 	%p6, %rd90, 0;
	@%p6 bra 	$L__BB1_49;
	bra.uni 	$L__BB1_51;
$L__BB1_50:
	ret;
}
)ptx";
