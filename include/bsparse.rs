// The interface of libbsparse for Rust, made from bsparse.h, which is the manual. Enumerations are i32: a value that a newer
// library adds is data, never undefined behaviour. Objects are opaque; the library never moves them.
#![allow(non_camel_case_types, non_snake_case, non_upper_case_globals, dead_code, clippy::all)]

use std::os::raw::{c_char, c_double, c_float, c_void};

#[repr(C)]
pub struct CUstream_st {
    _opaque: [u8; 0],
}
#[repr(C)]
pub struct bsContext {
    _opaque: [u8; 0],
}
#[repr(C)]
pub struct bsMatrix {
    _opaque: [u8; 0],
}
#[repr(C)]
pub struct bsOptionSet {
    _opaque: [u8; 0],
}
#[repr(C)]
pub struct bsReportData {
    _opaque: [u8; 0],
}
pub type bsHandle_t = *mut bsContext;
pub type bsMatDescr_t = *mut bsMatrix;
pub type bsConstMatDescr_t = *const bsMatrix;
pub type bsOptions_t = *mut bsOptionSet;
pub type bsConstOptions_t = *const bsOptionSet;
pub type bsReport_t = *mut bsReportData;
pub type bsStream_t = *mut CUstream_st;
pub type bsLogCallback_t = Option<unsafe extern "C" fn(user: *mut c_void, line: *const c_char)>;

pub const BSPARSE_VERSION: i32 = 100;
pub const BSPARSE_WORKSPACE_ALIGNMENT: i32 = 256;

pub type bsStatus_t = i32;
pub const BS_STATUS_SUCCESS: bsStatus_t = 0;
pub const BS_STATUS_INVALID_HANDLE: bsStatus_t = 10;
pub const BS_STATUS_INVALID_POINTER: bsStatus_t = 11;
pub const BS_STATUS_INVALID_SIZE: bsStatus_t = 12;
pub const BS_STATUS_INVALID_VALUE: bsStatus_t = 13;
pub const BS_STATUS_INVALID_TYPE: bsStatus_t = 14;
pub const BS_STATUS_INVALID_SHAPE: bsStatus_t = 15;
pub const BS_STATUS_INVALID_ALIAS: bsStatus_t = 16;
pub const BS_STATUS_INVALID_POINTER_MODE: bsStatus_t = 17;
pub const BS_STATUS_INSUFFICIENT_WORKSPACE: bsStatus_t = 20;
pub const BS_STATUS_STALE_ANALYSIS: bsStatus_t = 21;
pub const BS_STATUS_INVALID_CONTENT: bsStatus_t = 22;
pub const BS_STATUS_NOT_SUPPORTED: bsStatus_t = 30;
pub const BS_STATUS_ARCH_MISMATCH: bsStatus_t = 31;
pub const BS_STATUS_ALLOC_FAILED: bsStatus_t = 40;
pub const BS_STATUS_CUDA_ERROR: bsStatus_t = 50;
pub const BS_STATUS_EARLIER_CUDA_ERROR: bsStatus_t = 51;
pub const BS_STATUS_MISSING_LIBRARY: bsStatus_t = 52;
pub const BS_STATUS_IO_ERROR: bsStatus_t = 60;
pub const BS_STATUS_INTERNAL_ERROR: bsStatus_t = 90;

pub type bsBackend_t = i32;
pub const BS_BACKEND_CPU: bsBackend_t = 1;
pub const BS_BACKEND_CUDA: bsBackend_t = 2;

pub type bsDataType_t = i32;
pub const BS_R_32F: bsDataType_t = 0;
pub const BS_R_64F: bsDataType_t = 1;
pub const BS_R_16F: bsDataType_t = 2;
pub const BS_R_16BF: bsDataType_t = 14;

pub type bsIndexType_t = i32;
pub const BS_INDEX_32I: bsIndexType_t = 2;
pub const BS_INDEX_64I: bsIndexType_t = 3;

pub type bsIndexBase_t = i32;
pub const BS_INDEX_BASE_ZERO: bsIndexBase_t = 0;
pub const BS_INDEX_BASE_ONE: bsIndexBase_t = 1;

pub type bsOperation_t = i32;
pub const BS_OPERATION_NON_TRANSPOSE: bsOperation_t = 0;
pub const BS_OPERATION_TRANSPOSE: bsOperation_t = 1;
pub const BS_OPERATION_CONJUGATE_TRANSPOSE: bsOperation_t = 2;

pub type bsOrder_t = i32;
pub const BS_ORDER_COL: bsOrder_t = 1;
pub const BS_ORDER_ROW: bsOrder_t = 2;

pub type bsFormat_t = i32;
pub const BS_FORMAT_CSR: bsFormat_t = 1;
pub const BS_FORMAT_CSC: bsFormat_t = 2;
pub const BS_FORMAT_COO: bsFormat_t = 3;
pub const BS_FORMAT_BSR: bsFormat_t = 6;
pub const BS_FORMAT_DENSE: bsFormat_t = 100;

pub type bsPointerMode_t = i32;
pub const BS_POINTER_MODE_HOST: bsPointerMode_t = 0;
pub const BS_POINTER_MODE_DEVICE: bsPointerMode_t = 1;

pub type bsAnalyzeFlags_t = i32;
pub const BS_ANALYZE_STATS: bsAnalyzeFlags_t = 1;
pub const BS_ANALYZE_ORDER: bsAnalyzeFlags_t = 2;
pub const BS_ANALYZE_TRANSPOSE: bsAnalyzeFlags_t = 4;
pub const BS_ANALYZE_PACK: bsAnalyzeFlags_t = 8;

pub type bsStat_t = i32;
pub const BS_STAT_NNZ: bsStat_t = 1;
pub const BS_STAT_DENSITY: bsStat_t = 2;
pub const BS_STAT_ROW_LENGTH_MEAN: bsStat_t = 3;
pub const BS_STAT_ROW_LENGTH_STDDEV: bsStat_t = 4;
pub const BS_STAT_ROW_LENGTH_MIN: bsStat_t = 5;
pub const BS_STAT_ROW_LENGTH_MEDIAN: bsStat_t = 6;
pub const BS_STAT_ROW_LENGTH_P95: bsStat_t = 7;
pub const BS_STAT_ROW_LENGTH_MAX: bsStat_t = 8;
pub const BS_STAT_EMPTY_ROWS: bsStat_t = 9;
pub const BS_STAT_EMPTY_COLS: bsStat_t = 10;
pub const BS_STAT_SORTED: bsStat_t = 11;
pub const BS_STAT_OCCUPANCY_8: bsStat_t = 12;
pub const BS_STAT_OCCUPANCY_16: bsStat_t = 13;
pub const BS_STAT_OCCUPANCY_32: bsStat_t = 14;
pub const BS_STAT_OCCUPANCY_64: bsStat_t = 15;

pub type bsContent_t = i32;
pub const BS_CONTENT_OK: bsContent_t = 0;
pub const BS_CONTENT_OFFSET_RANGE: bsContent_t = 1;
pub const BS_CONTENT_OFFSET_DECREASING: bsContent_t = 2;
pub const BS_CONTENT_INDEX_RANGE: bsContent_t = 3;
pub const BS_CONTENT_UNSORTED: bsContent_t = 10;
pub const BS_CONTENT_DUPLICATE: bsContent_t = 11;

pub type bsOption_t = i32;
pub const BS_OPTION_STRICT: bsOption_t = 1;
pub const BS_OPTION_DETERMINISTIC: bsOption_t = 2;
pub const BS_OPTION_ALLOW_TF32: bsOption_t = 3;
pub const BS_OPTION_ACTIVATION: bsOption_t = 4;

pub type bsActivation_t = i32;
pub const BS_ACTIVATION_NONE: bsActivation_t = 0;
pub const BS_ACTIVATION_RELU: bsActivation_t = 1;
pub const BS_ACTIVATION_GELU_ERF: bsActivation_t = 2;
pub const BS_ACTIVATION_GELU_TANH: bsActivation_t = 3;
pub const BS_ACTIVATION_SILU: bsActivation_t = 4;

pub type bsAxis_t = i32;
pub const BS_AXIS_ROW: bsAxis_t = 1;
pub const BS_AXIS_COL: bsAxis_t = 2;

pub type bsReportKey_t = i32;
pub const BS_REPORT_ROUTE: bsReportKey_t = 1;
pub const BS_REPORT_ACCEPTED: bsReportKey_t = 2;
pub const BS_REPORT_REASON: bsReportKey_t = 3;
pub const BS_REPORT_MICROSECONDS: bsReportKey_t = 4;
pub const BS_REPORT_WORKSPACE: bsReportKey_t = 5;
pub const BS_REPORT_DETERMINISTIC: bsReportKey_t = 6;
pub const BS_REPORT_ISOLATES: bsReportKey_t = 7;
pub const BS_REPORT_CHOSEN: bsReportKey_t = 8;

#[link(name = "bsparse")]
extern "C" {
    pub fn bsCreate(
        handle: *mut bsHandle_t,
    ) -> bsStatus_t;
    pub fn bsCreateOn(
        handle: *mut bsHandle_t,
        backend: bsBackend_t,
        device: i32,
    ) -> bsStatus_t;
    pub fn bsDestroy(
        handle: bsHandle_t,
    ) -> bsStatus_t;
    pub fn bsSetStream(
        handle: bsHandle_t,
        stream: bsStream_t,
    ) -> bsStatus_t;
    pub fn bsGetStream(
        handle: bsHandle_t,
        stream: *mut bsStream_t,
    ) -> bsStatus_t;
    pub fn bsSetPointerMode(
        handle: bsHandle_t,
        mode: bsPointerMode_t,
    ) -> bsStatus_t;
    pub fn bsGetPointerMode(
        handle: bsHandle_t,
        mode: *mut bsPointerMode_t,
    ) -> bsStatus_t;
    pub fn bsSetNumThreads(
        handle: bsHandle_t,
        threads: i32,
    ) -> bsStatus_t;
    pub fn bsGetNumThreads(
        handle: bsHandle_t,
        threads: *mut i32,
    ) -> bsStatus_t;
    pub fn bsGetBackend(
        handle: bsHandle_t,
        backend: *mut bsBackend_t,
    ) -> bsStatus_t;
    pub fn bsGetDevice(
        handle: bsHandle_t,
        device: *mut i32,
    ) -> bsStatus_t;
    pub fn bsGetDeviceName(
        handle: bsHandle_t,
        name: *mut *const c_char,
    ) -> bsStatus_t;
    pub fn bsSetLogCallback(
        handle: bsHandle_t,
        callback: bsLogCallback_t,
        user: *mut c_void,
    ) -> bsStatus_t;
    pub fn bsGetVersion(
        version: *mut i32,
    ) -> bsStatus_t;
    pub fn bsHasFeature(
        feature: *const c_char,
        supported: *mut i32,
    ) -> bsStatus_t;
    pub fn bsStatusName(
        status: bsStatus_t,
    ) -> *const c_char;
    pub fn bsStatusString(
        status: bsStatus_t,
    ) -> *const c_char;
    pub fn bsGetLastErrorMessage() -> *const c_char;
    pub fn bsMalloc(
        handle: bsHandle_t,
        pointer: *mut *mut c_void,
        bytes: i64,
    ) -> bsStatus_t;
    pub fn bsFree(
        handle: bsHandle_t,
        pointer: *mut c_void,
    ) -> bsStatus_t;
    pub fn bsMemcpy(
        handle: bsHandle_t,
        destination: *mut c_void,
        source: *const c_void,
        bytes: i64,
    ) -> bsStatus_t;
    pub fn bsSynchronize(
        handle: bsHandle_t,
    ) -> bsStatus_t;
    pub fn bsCreateDense(
        mat: *mut bsMatDescr_t,
        rows: i64,
        cols: i64,
        ld: i64,
        values: *mut c_void,
        valueType: bsDataType_t,
        order: bsOrder_t,
    ) -> bsStatus_t;
    pub fn bsCreateCsr(
        mat: *mut bsMatDescr_t,
        rows: i64,
        cols: i64,
        nnz: i64,
        rowOffsets: *mut c_void,
        colIndices: *mut c_void,
        values: *mut c_void,
        offsetType: bsIndexType_t,
        indexType: bsIndexType_t,
        base: bsIndexBase_t,
        valueType: bsDataType_t,
    ) -> bsStatus_t;
    pub fn bsCreateCsc(
        mat: *mut bsMatDescr_t,
        rows: i64,
        cols: i64,
        nnz: i64,
        colOffsets: *mut c_void,
        rowIndices: *mut c_void,
        values: *mut c_void,
        offsetType: bsIndexType_t,
        indexType: bsIndexType_t,
        base: bsIndexBase_t,
        valueType: bsDataType_t,
    ) -> bsStatus_t;
    pub fn bsCreateCoo(
        mat: *mut bsMatDescr_t,
        rows: i64,
        cols: i64,
        nnz: i64,
        rowIndices: *mut c_void,
        colIndices: *mut c_void,
        values: *mut c_void,
        indexType: bsIndexType_t,
        base: bsIndexBase_t,
        valueType: bsDataType_t,
    ) -> bsStatus_t;
    pub fn bsCreateBsr(
        mat: *mut bsMatDescr_t,
        rows: i64,
        cols: i64,
        nnzb: i64,
        rowBlockSize: i64,
        colBlockSize: i64,
        rowOffsets: *mut c_void,
        colIndices: *mut c_void,
        values: *mut c_void,
        offsetType: bsIndexType_t,
        indexType: bsIndexType_t,
        base: bsIndexBase_t,
        valueType: bsDataType_t,
        blockOrder: bsOrder_t,
    ) -> bsStatus_t;
    pub fn bsCreateConstDense(
        mat: *mut bsMatDescr_t,
        rows: i64,
        cols: i64,
        ld: i64,
        values: *const c_void,
        valueType: bsDataType_t,
        order: bsOrder_t,
    ) -> bsStatus_t;
    pub fn bsCreateConstCsr(
        mat: *mut bsMatDescr_t,
        rows: i64,
        cols: i64,
        nnz: i64,
        rowOffsets: *const c_void,
        colIndices: *const c_void,
        values: *const c_void,
        offsetType: bsIndexType_t,
        indexType: bsIndexType_t,
        base: bsIndexBase_t,
        valueType: bsDataType_t,
    ) -> bsStatus_t;
    pub fn bsCreateConstCsc(
        mat: *mut bsMatDescr_t,
        rows: i64,
        cols: i64,
        nnz: i64,
        colOffsets: *const c_void,
        rowIndices: *const c_void,
        values: *const c_void,
        offsetType: bsIndexType_t,
        indexType: bsIndexType_t,
        base: bsIndexBase_t,
        valueType: bsDataType_t,
    ) -> bsStatus_t;
    pub fn bsCreateConstCoo(
        mat: *mut bsMatDescr_t,
        rows: i64,
        cols: i64,
        nnz: i64,
        rowIndices: *const c_void,
        colIndices: *const c_void,
        values: *const c_void,
        indexType: bsIndexType_t,
        base: bsIndexBase_t,
        valueType: bsDataType_t,
    ) -> bsStatus_t;
    pub fn bsCreateConstBsr(
        mat: *mut bsMatDescr_t,
        rows: i64,
        cols: i64,
        nnzb: i64,
        rowBlockSize: i64,
        colBlockSize: i64,
        rowOffsets: *const c_void,
        colIndices: *const c_void,
        values: *const c_void,
        offsetType: bsIndexType_t,
        indexType: bsIndexType_t,
        base: bsIndexBase_t,
        valueType: bsDataType_t,
        blockOrder: bsOrder_t,
    ) -> bsStatus_t;
    pub fn bsDestroyMat(
        mat: bsConstMatDescr_t,
    ) -> bsStatus_t;
    pub fn bsMatGetFormat(
        mat: bsConstMatDescr_t,
        format: *mut bsFormat_t,
    ) -> bsStatus_t;
    pub fn bsMatGetSize(
        mat: bsConstMatDescr_t,
        rows: *mut i64,
        cols: *mut i64,
        nnz: *mut i64,
    ) -> bsStatus_t;
    pub fn bsMatGetValueType(
        mat: bsConstMatDescr_t,
        valueType: *mut bsDataType_t,
    ) -> bsStatus_t;
    pub fn bsMatGetPointers(
        mat: bsMatDescr_t,
        offsets: *mut *mut c_void,
        indices: *mut *mut c_void,
        values: *mut *mut c_void,
    ) -> bsStatus_t;
    pub fn bsMatGetConstPointers(
        mat: bsConstMatDescr_t,
        offsets: *mut *const c_void,
        indices: *mut *const c_void,
        values: *mut *const c_void,
    ) -> bsStatus_t;
    pub fn bsMatGetDense(
        mat: bsConstMatDescr_t,
        ld: *mut i64,
        order: *mut bsOrder_t,
    ) -> bsStatus_t;
    pub fn bsMatGetIndexing(
        mat: bsConstMatDescr_t,
        offsetType: *mut bsIndexType_t,
        indexType: *mut bsIndexType_t,
        base: *mut bsIndexBase_t,
    ) -> bsStatus_t;
    pub fn bsMatGetBlocks(
        mat: bsConstMatDescr_t,
        rowBlockSize: *mut i64,
        colBlockSize: *mut i64,
        blockOrder: *mut bsOrder_t,
    ) -> bsStatus_t;
    pub fn bsMatGetBatch(
        mat: bsConstMatDescr_t,
        count: *mut i64,
        valueStride: *mut i64,
        offsetStride: *mut i64,
        indexStride: *mut i64,
    ) -> bsStatus_t;
    pub fn bsMatGetGate(
        mat: bsConstMatDescr_t,
        gate: *mut *const c_float,
        stride: *mut i64,
    ) -> bsStatus_t;
    pub fn bsMatGetAnalysis(
        mat: bsConstMatDescr_t,
        flags: *mut bsAnalyzeFlags_t,
    ) -> bsStatus_t;
    pub fn bsMatSetPointers(
        mat: bsMatDescr_t,
        offsets: *mut c_void,
        indices: *mut c_void,
        values: *mut c_void,
    ) -> bsStatus_t;
    pub fn bsMatSetConstPointers(
        mat: bsMatDescr_t,
        offsets: *const c_void,
        indices: *const c_void,
        values: *const c_void,
    ) -> bsStatus_t;
    pub fn bsMatSetValues(
        mat: bsMatDescr_t,
        values: *mut c_void,
    ) -> bsStatus_t;
    pub fn bsMatSetConstValues(
        mat: bsMatDescr_t,
        values: *const c_void,
    ) -> bsStatus_t;
    pub fn bsMatSetBatch(
        mat: bsMatDescr_t,
        count: i64,
        valueStride: i64,
        offsetStride: i64,
        indexStride: i64,
    ) -> bsStatus_t;
    pub fn bsMatSetGate(
        mat: bsMatDescr_t,
        gate: *const c_float,
        stride: i64,
    ) -> bsStatus_t;
    pub fn bsMatAnalyze_bufferSize(
        handle: bsHandle_t,
        mat: bsConstMatDescr_t,
        flags: bsAnalyzeFlags_t,
        bytes: *mut i64,
    ) -> bsStatus_t;
    pub fn bsMatAnalyze(
        handle: bsHandle_t,
        mat: bsMatDescr_t,
        flags: bsAnalyzeFlags_t,
        buffer: *mut c_void,
        bytes: i64,
    ) -> bsStatus_t;
    pub fn bsMatStructureChanged(
        mat: bsMatDescr_t,
    ) -> bsStatus_t;
    pub fn bsMatValuesChanged(
        handle: bsHandle_t,
        mat: bsMatDescr_t,
    ) -> bsStatus_t;
    pub fn bsMatGetStat(
        mat: bsConstMatDescr_t,
        stat: bsStat_t,
        value: *mut c_double,
    ) -> bsStatus_t;
    pub fn bsMatCheck(
        handle: bsHandle_t,
        mat: bsConstMatDescr_t,
        finding: *mut bsContent_t,
        position: *mut i64,
    ) -> bsStatus_t;
    pub fn bsCreateOptions(
        options: *mut bsOptions_t,
    ) -> bsStatus_t;
    pub fn bsDestroyOptions(
        options: bsOptions_t,
    ) -> bsStatus_t;
    pub fn bsOptionsSetInt(
        options: bsOptions_t,
        option: bsOption_t,
        value: i64,
    ) -> bsStatus_t;
    pub fn bsOptionsGetInt(
        options: bsConstOptions_t,
        option: bsOption_t,
        value: *mut i64,
    ) -> bsStatus_t;
    pub fn bsOptionsSetRoute(
        options: bsOptions_t,
        route: *const c_char,
    ) -> bsStatus_t;
    pub fn bsOptionsGetRoute(
        options: bsConstOptions_t,
        route: *mut *const c_char,
    ) -> bsStatus_t;
    pub fn bsOptionsSetBias(
        options: bsOptions_t,
        bias: *const c_void,
        type_: bsDataType_t,
        axis: bsAxis_t,
        stride: i64,
    ) -> bsStatus_t;
    pub fn bsOptionsGetBias(
        options: bsConstOptions_t,
        bias: *mut *const c_void,
        type_: *mut bsDataType_t,
        axis: *mut bsAxis_t,
        stride: *mut i64,
    ) -> bsStatus_t;
    pub fn bsOptionsSetAuxiliary(
        options: bsOptions_t,
        auxiliary: bsMatDescr_t,
    ) -> bsStatus_t;
    pub fn bsOptionsGetAuxiliary(
        options: bsConstOptions_t,
        auxiliary: *mut bsMatDescr_t,
    ) -> bsStatus_t;
    pub fn bsOptionsSetBiasGradient(
        options: bsOptions_t,
        gradient: *mut c_void,
        type_: bsDataType_t,
        axis: bsAxis_t,
    ) -> bsStatus_t;
    pub fn bsOptionsGetBiasGradient(
        options: bsConstOptions_t,
        gradient: *mut *mut c_void,
        type_: *mut bsDataType_t,
        axis: *mut bsAxis_t,
    ) -> bsStatus_t;
    pub fn bsSpMM_bufferSize(
        handle: bsHandle_t,
        opA: bsOperation_t,
        opB: bsOperation_t,
        alpha: *const c_void,
        A: bsConstMatDescr_t,
        B: bsConstMatDescr_t,
        beta: *const c_void,
        C: bsConstMatDescr_t,
        compute: bsDataType_t,
        options: bsConstOptions_t,
        bytes: *mut i64,
    ) -> bsStatus_t;
    pub fn bsSpMM(
        handle: bsHandle_t,
        opA: bsOperation_t,
        opB: bsOperation_t,
        alpha: *const c_void,
        A: bsConstMatDescr_t,
        B: bsConstMatDescr_t,
        beta: *const c_void,
        C: bsMatDescr_t,
        compute: bsDataType_t,
        options: bsConstOptions_t,
        workspace: *mut c_void,
        bytes: i64,
    ) -> bsStatus_t;
    pub fn bsSDDMM_bufferSize(
        handle: bsHandle_t,
        opA: bsOperation_t,
        opB: bsOperation_t,
        alpha: *const c_void,
        A: bsConstMatDescr_t,
        B: bsConstMatDescr_t,
        beta: *const c_void,
        C: bsConstMatDescr_t,
        compute: bsDataType_t,
        options: bsConstOptions_t,
        bytes: *mut i64,
    ) -> bsStatus_t;
    pub fn bsSDDMM(
        handle: bsHandle_t,
        opA: bsOperation_t,
        opB: bsOperation_t,
        alpha: *const c_void,
        A: bsConstMatDescr_t,
        B: bsConstMatDescr_t,
        beta: *const c_void,
        C: bsMatDescr_t,
        compute: bsDataType_t,
        options: bsConstOptions_t,
        workspace: *mut c_void,
        bytes: i64,
    ) -> bsStatus_t;
    pub fn bsSpMV_bufferSize(
        handle: bsHandle_t,
        opA: bsOperation_t,
        alpha: *const c_void,
        A: bsConstMatDescr_t,
        x: bsConstMatDescr_t,
        beta: *const c_void,
        y: bsConstMatDescr_t,
        compute: bsDataType_t,
        options: bsConstOptions_t,
        bytes: *mut i64,
    ) -> bsStatus_t;
    pub fn bsSpMV(
        handle: bsHandle_t,
        opA: bsOperation_t,
        alpha: *const c_void,
        A: bsConstMatDescr_t,
        x: bsConstMatDescr_t,
        beta: *const c_void,
        y: bsMatDescr_t,
        compute: bsDataType_t,
        options: bsConstOptions_t,
        workspace: *mut c_void,
        bytes: i64,
    ) -> bsStatus_t;
    pub fn bsBlockGateGrad(
        handle: bsHandle_t,
        W: bsConstMatDescr_t,
        dW: bsConstMatDescr_t,
        gradient: *mut c_float,
        stride: i64,
    ) -> bsStatus_t;
    pub fn bsConvert_bufferSize(
        handle: bsHandle_t,
        op: bsOperation_t,
        source: bsConstMatDescr_t,
        destination: bsConstMatDescr_t,
        bytes: *mut i64,
    ) -> bsStatus_t;
    pub fn bsConvert_count(
        handle: bsHandle_t,
        op: bsOperation_t,
        source: bsConstMatDescr_t,
        destination: bsMatDescr_t,
        workspace: *mut c_void,
        bytes: i64,
    ) -> bsStatus_t;
    pub fn bsConvert_fill(
        handle: bsHandle_t,
        op: bsOperation_t,
        source: bsConstMatDescr_t,
        destination: bsMatDescr_t,
        workspace: *mut c_void,
        bytes: i64,
    ) -> bsStatus_t;
    pub fn bsSpMM_explain(
        handle: bsHandle_t,
        opA: bsOperation_t,
        opB: bsOperation_t,
        alpha: *const c_void,
        A: bsConstMatDescr_t,
        B: bsConstMatDescr_t,
        beta: *const c_void,
        C: bsConstMatDescr_t,
        compute: bsDataType_t,
        options: bsConstOptions_t,
        device: *const c_char,
        report: *mut bsReport_t,
    ) -> bsStatus_t;
    pub fn bsSDDMM_explain(
        handle: bsHandle_t,
        opA: bsOperation_t,
        opB: bsOperation_t,
        alpha: *const c_void,
        A: bsConstMatDescr_t,
        B: bsConstMatDescr_t,
        beta: *const c_void,
        C: bsConstMatDescr_t,
        compute: bsDataType_t,
        options: bsConstOptions_t,
        device: *const c_char,
        report: *mut bsReport_t,
    ) -> bsStatus_t;
    pub fn bsDestroyReport(
        report: bsReport_t,
    ) -> bsStatus_t;
    pub fn bsReportGetCount(
        report: bsReport_t,
        count: *mut i64,
    ) -> bsStatus_t;
    pub fn bsReportGet(
        report: bsReport_t,
        index: i64,
        key: bsReportKey_t,
        data: *mut c_void,
        size: i64,
    ) -> bsStatus_t;
    pub fn bsReportGetText(
        report: bsReport_t,
        text: *mut *const c_char,
    ) -> bsStatus_t;
}
