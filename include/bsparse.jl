# The interface of libbsparse for Julia, made from bsparse.h, which is the manual: include("bsparse.jl"), then
# BSparse.check(BSparse.bsCreateOn(handle, BSparse.BS_BACKEND_CPU, 0)) with handle = Ref{BSparse.bsHandle_t}(). Set
# LIBBSPARSE in the environment where the library is not on the loader's path. What C writes through a pointer is a Ref.
# Arrays are pointers: keep them with GC.@preserve as long as a descriptor lives. Julia's matrices are BS_ORDER_COL;
# BS_INDEX_BASE_ONE counts from 1.
module BSparse

const libbsparse = get(ENV, "LIBBSPARSE", "libbsparse.so.0")

const bsHandle_t = Ptr{Cvoid}
const bsMatDescr_t = Ptr{Cvoid}
const bsConstMatDescr_t = Ptr{Cvoid}
const bsOptions_t = Ptr{Cvoid}
const bsConstOptions_t = Ptr{Cvoid}
const bsReport_t = Ptr{Cvoid}
const bsStream_t = Ptr{Cvoid}
const bsLogCallback_t = Ptr{Cvoid}

const BSPARSE_VERSION = Int32(100)
const BSPARSE_WORKSPACE_ALIGNMENT = Int32(256)

const bsStatus_t = Int32
const BS_STATUS_SUCCESS = Int32(0)
const BS_STATUS_INVALID_HANDLE = Int32(10)
const BS_STATUS_INVALID_POINTER = Int32(11)
const BS_STATUS_INVALID_SIZE = Int32(12)
const BS_STATUS_INVALID_VALUE = Int32(13)
const BS_STATUS_INVALID_TYPE = Int32(14)
const BS_STATUS_INVALID_SHAPE = Int32(15)
const BS_STATUS_INVALID_ALIAS = Int32(16)
const BS_STATUS_INVALID_POINTER_MODE = Int32(17)
const BS_STATUS_INSUFFICIENT_WORKSPACE = Int32(20)
const BS_STATUS_STALE_ANALYSIS = Int32(21)
const BS_STATUS_INVALID_CONTENT = Int32(22)
const BS_STATUS_NOT_SUPPORTED = Int32(30)
const BS_STATUS_ARCH_MISMATCH = Int32(31)
const BS_STATUS_ALLOC_FAILED = Int32(40)
const BS_STATUS_CUDA_ERROR = Int32(50)
const BS_STATUS_EARLIER_CUDA_ERROR = Int32(51)
const BS_STATUS_MISSING_LIBRARY = Int32(52)
const BS_STATUS_IO_ERROR = Int32(60)
const BS_STATUS_INTERNAL_ERROR = Int32(90)

const bsBackend_t = Int32
const BS_BACKEND_CPU = Int32(1)
const BS_BACKEND_CUDA = Int32(2)

const bsDataType_t = Int32
const BS_R_32F = Int32(0)
const BS_R_64F = Int32(1)
const BS_R_16F = Int32(2)
const BS_R_16BF = Int32(14)

const bsIndexType_t = Int32
const BS_INDEX_32I = Int32(2)
const BS_INDEX_64I = Int32(3)

const bsIndexBase_t = Int32
const BS_INDEX_BASE_ZERO = Int32(0)
const BS_INDEX_BASE_ONE = Int32(1)

const bsOperation_t = Int32
const BS_OPERATION_NON_TRANSPOSE = Int32(0)
const BS_OPERATION_TRANSPOSE = Int32(1)
const BS_OPERATION_CONJUGATE_TRANSPOSE = Int32(2)

const bsOrder_t = Int32
const BS_ORDER_COL = Int32(1)
const BS_ORDER_ROW = Int32(2)

const bsFormat_t = Int32
const BS_FORMAT_CSR = Int32(1)
const BS_FORMAT_CSC = Int32(2)
const BS_FORMAT_COO = Int32(3)
const BS_FORMAT_BSR = Int32(6)
const BS_FORMAT_DENSE = Int32(100)

const bsPointerMode_t = Int32
const BS_POINTER_MODE_HOST = Int32(0)
const BS_POINTER_MODE_DEVICE = Int32(1)

const bsAnalyzeFlags_t = Int32
const BS_ANALYZE_STATS = Int32(1)
const BS_ANALYZE_ORDER = Int32(2)
const BS_ANALYZE_TRANSPOSE = Int32(4)
const BS_ANALYZE_PACK = Int32(8)

const bsStat_t = Int32
const BS_STAT_NNZ = Int32(1)
const BS_STAT_DENSITY = Int32(2)
const BS_STAT_ROW_LENGTH_MEAN = Int32(3)
const BS_STAT_ROW_LENGTH_STDDEV = Int32(4)
const BS_STAT_ROW_LENGTH_MIN = Int32(5)
const BS_STAT_ROW_LENGTH_MEDIAN = Int32(6)
const BS_STAT_ROW_LENGTH_P95 = Int32(7)
const BS_STAT_ROW_LENGTH_MAX = Int32(8)
const BS_STAT_EMPTY_ROWS = Int32(9)
const BS_STAT_EMPTY_COLS = Int32(10)
const BS_STAT_SORTED = Int32(11)
const BS_STAT_OCCUPANCY_8 = Int32(12)
const BS_STAT_OCCUPANCY_16 = Int32(13)
const BS_STAT_OCCUPANCY_32 = Int32(14)
const BS_STAT_OCCUPANCY_64 = Int32(15)

const bsContent_t = Int32
const BS_CONTENT_OK = Int32(0)
const BS_CONTENT_OFFSET_RANGE = Int32(1)
const BS_CONTENT_OFFSET_DECREASING = Int32(2)
const BS_CONTENT_INDEX_RANGE = Int32(3)
const BS_CONTENT_UNSORTED = Int32(10)
const BS_CONTENT_DUPLICATE = Int32(11)

const bsOption_t = Int32
const BS_OPTION_STRICT = Int32(1)
const BS_OPTION_DETERMINISTIC = Int32(2)
const BS_OPTION_ALLOW_TF32 = Int32(3)
const BS_OPTION_ACTIVATION = Int32(4)

const bsActivation_t = Int32
const BS_ACTIVATION_NONE = Int32(0)
const BS_ACTIVATION_RELU = Int32(1)
const BS_ACTIVATION_GELU_ERF = Int32(2)
const BS_ACTIVATION_GELU_TANH = Int32(3)
const BS_ACTIVATION_SILU = Int32(4)

const bsAxis_t = Int32
const BS_AXIS_ROW = Int32(1)
const BS_AXIS_COL = Int32(2)

const bsReportKey_t = Int32
const BS_REPORT_ROUTE = Int32(1)
const BS_REPORT_ACCEPTED = Int32(2)
const BS_REPORT_REASON = Int32(3)
const BS_REPORT_MICROSECONDS = Int32(4)
const BS_REPORT_WORKSPACE = Int32(5)
const BS_REPORT_DETERMINISTIC = Int32(6)
const BS_REPORT_ISOLATES = Int32(7)
const BS_REPORT_CHOSEN = Int32(8)

bsCreate(handle) =
    @ccall libbsparse.bsCreate(handle::Ptr{bsHandle_t})::bsStatus_t
bsCreateOn(handle, backend, device) =
    @ccall libbsparse.bsCreateOn(handle::Ptr{bsHandle_t}, backend::bsBackend_t, device::Int32)::bsStatus_t
bsDestroy(handle) =
    @ccall libbsparse.bsDestroy(handle::bsHandle_t)::bsStatus_t
bsSetStream(handle, stream) =
    @ccall libbsparse.bsSetStream(handle::bsHandle_t, stream::bsStream_t)::bsStatus_t
bsGetStream(handle, stream) =
    @ccall libbsparse.bsGetStream(handle::bsHandle_t, stream::Ptr{bsStream_t})::bsStatus_t
bsSetPointerMode(handle, mode) =
    @ccall libbsparse.bsSetPointerMode(handle::bsHandle_t, mode::bsPointerMode_t)::bsStatus_t
bsGetPointerMode(handle, mode) =
    @ccall libbsparse.bsGetPointerMode(handle::bsHandle_t, mode::Ptr{bsPointerMode_t})::bsStatus_t
bsSetNumThreads(handle, threads) =
    @ccall libbsparse.bsSetNumThreads(handle::bsHandle_t, threads::Int32)::bsStatus_t
bsGetNumThreads(handle, threads) =
    @ccall libbsparse.bsGetNumThreads(handle::bsHandle_t, threads::Ptr{Int32})::bsStatus_t
bsGetBackend(handle, backend) =
    @ccall libbsparse.bsGetBackend(handle::bsHandle_t, backend::Ptr{bsBackend_t})::bsStatus_t
bsGetDevice(handle, device) =
    @ccall libbsparse.bsGetDevice(handle::bsHandle_t, device::Ptr{Int32})::bsStatus_t
bsGetDeviceName(handle, name) =
    @ccall libbsparse.bsGetDeviceName(handle::bsHandle_t, name::Ptr{Cstring})::bsStatus_t
bsSetLogCallback(handle, callback, user) =
    @ccall libbsparse.bsSetLogCallback(handle::bsHandle_t, callback::bsLogCallback_t, user::Ptr{Cvoid})::bsStatus_t
bsGetVersion(version) =
    @ccall libbsparse.bsGetVersion(version::Ptr{Int32})::bsStatus_t
bsHasFeature(feature, supported) =
    @ccall libbsparse.bsHasFeature(feature::Cstring, supported::Ptr{Int32})::bsStatus_t
bsStatusName(status) =
    @ccall libbsparse.bsStatusName(status::bsStatus_t)::Cstring
bsStatusString(status) =
    @ccall libbsparse.bsStatusString(status::bsStatus_t)::Cstring
bsGetLastErrorMessage() =
    @ccall libbsparse.bsGetLastErrorMessage()::Cstring
bsMalloc(handle, pointer, bytes) =
    @ccall libbsparse.bsMalloc(handle::bsHandle_t, pointer::Ptr{Ptr{Cvoid}}, bytes::Int64)::bsStatus_t
bsFree(handle, pointer) =
    @ccall libbsparse.bsFree(handle::bsHandle_t, pointer::Ptr{Cvoid})::bsStatus_t
bsMemcpy(handle, destination, source, bytes) =
    @ccall libbsparse.bsMemcpy(handle::bsHandle_t, destination::Ptr{Cvoid}, source::Ptr{Cvoid}, bytes::Int64)::bsStatus_t
bsSynchronize(handle) =
    @ccall libbsparse.bsSynchronize(handle::bsHandle_t)::bsStatus_t
bsCreateDense(mat, rows, cols, ld, values, valueType, order) =
    @ccall libbsparse.bsCreateDense(mat::Ptr{bsMatDescr_t}, rows::Int64, cols::Int64, ld::Int64, values::Ptr{Cvoid}, valueType::bsDataType_t, order::bsOrder_t)::bsStatus_t
bsCreateCsr(mat, rows, cols, nnz, rowOffsets, colIndices, values, offsetType, indexType, base, valueType) =
    @ccall libbsparse.bsCreateCsr(mat::Ptr{bsMatDescr_t}, rows::Int64, cols::Int64, nnz::Int64, rowOffsets::Ptr{Cvoid}, colIndices::Ptr{Cvoid}, values::Ptr{Cvoid}, offsetType::bsIndexType_t, indexType::bsIndexType_t, base::bsIndexBase_t, valueType::bsDataType_t)::bsStatus_t
bsCreateCsc(mat, rows, cols, nnz, colOffsets, rowIndices, values, offsetType, indexType, base, valueType) =
    @ccall libbsparse.bsCreateCsc(mat::Ptr{bsMatDescr_t}, rows::Int64, cols::Int64, nnz::Int64, colOffsets::Ptr{Cvoid}, rowIndices::Ptr{Cvoid}, values::Ptr{Cvoid}, offsetType::bsIndexType_t, indexType::bsIndexType_t, base::bsIndexBase_t, valueType::bsDataType_t)::bsStatus_t
bsCreateCoo(mat, rows, cols, nnz, rowIndices, colIndices, values, indexType, base, valueType) =
    @ccall libbsparse.bsCreateCoo(mat::Ptr{bsMatDescr_t}, rows::Int64, cols::Int64, nnz::Int64, rowIndices::Ptr{Cvoid}, colIndices::Ptr{Cvoid}, values::Ptr{Cvoid}, indexType::bsIndexType_t, base::bsIndexBase_t, valueType::bsDataType_t)::bsStatus_t
bsCreateBsr(mat, rows, cols, nnzb, rowBlockSize, colBlockSize, rowOffsets, colIndices, values, offsetType, indexType, base, valueType, blockOrder) =
    @ccall libbsparse.bsCreateBsr(mat::Ptr{bsMatDescr_t}, rows::Int64, cols::Int64, nnzb::Int64, rowBlockSize::Int64, colBlockSize::Int64, rowOffsets::Ptr{Cvoid}, colIndices::Ptr{Cvoid}, values::Ptr{Cvoid}, offsetType::bsIndexType_t, indexType::bsIndexType_t, base::bsIndexBase_t, valueType::bsDataType_t, blockOrder::bsOrder_t)::bsStatus_t
bsCreateConstDense(mat, rows, cols, ld, values, valueType, order) =
    @ccall libbsparse.bsCreateConstDense(mat::Ptr{bsMatDescr_t}, rows::Int64, cols::Int64, ld::Int64, values::Ptr{Cvoid}, valueType::bsDataType_t, order::bsOrder_t)::bsStatus_t
bsCreateConstCsr(mat, rows, cols, nnz, rowOffsets, colIndices, values, offsetType, indexType, base, valueType) =
    @ccall libbsparse.bsCreateConstCsr(mat::Ptr{bsMatDescr_t}, rows::Int64, cols::Int64, nnz::Int64, rowOffsets::Ptr{Cvoid}, colIndices::Ptr{Cvoid}, values::Ptr{Cvoid}, offsetType::bsIndexType_t, indexType::bsIndexType_t, base::bsIndexBase_t, valueType::bsDataType_t)::bsStatus_t
bsCreateConstCsc(mat, rows, cols, nnz, colOffsets, rowIndices, values, offsetType, indexType, base, valueType) =
    @ccall libbsparse.bsCreateConstCsc(mat::Ptr{bsMatDescr_t}, rows::Int64, cols::Int64, nnz::Int64, colOffsets::Ptr{Cvoid}, rowIndices::Ptr{Cvoid}, values::Ptr{Cvoid}, offsetType::bsIndexType_t, indexType::bsIndexType_t, base::bsIndexBase_t, valueType::bsDataType_t)::bsStatus_t
bsCreateConstCoo(mat, rows, cols, nnz, rowIndices, colIndices, values, indexType, base, valueType) =
    @ccall libbsparse.bsCreateConstCoo(mat::Ptr{bsMatDescr_t}, rows::Int64, cols::Int64, nnz::Int64, rowIndices::Ptr{Cvoid}, colIndices::Ptr{Cvoid}, values::Ptr{Cvoid}, indexType::bsIndexType_t, base::bsIndexBase_t, valueType::bsDataType_t)::bsStatus_t
bsCreateConstBsr(mat, rows, cols, nnzb, rowBlockSize, colBlockSize, rowOffsets, colIndices, values, offsetType, indexType, base, valueType, blockOrder) =
    @ccall libbsparse.bsCreateConstBsr(mat::Ptr{bsMatDescr_t}, rows::Int64, cols::Int64, nnzb::Int64, rowBlockSize::Int64, colBlockSize::Int64, rowOffsets::Ptr{Cvoid}, colIndices::Ptr{Cvoid}, values::Ptr{Cvoid}, offsetType::bsIndexType_t, indexType::bsIndexType_t, base::bsIndexBase_t, valueType::bsDataType_t, blockOrder::bsOrder_t)::bsStatus_t
bsDestroyMat(mat) =
    @ccall libbsparse.bsDestroyMat(mat::bsConstMatDescr_t)::bsStatus_t
bsMatGetFormat(mat, format) =
    @ccall libbsparse.bsMatGetFormat(mat::bsConstMatDescr_t, format::Ptr{bsFormat_t})::bsStatus_t
bsMatGetSize(mat, rows, cols, nnz) =
    @ccall libbsparse.bsMatGetSize(mat::bsConstMatDescr_t, rows::Ptr{Int64}, cols::Ptr{Int64}, nnz::Ptr{Int64})::bsStatus_t
bsMatGetValueType(mat, valueType) =
    @ccall libbsparse.bsMatGetValueType(mat::bsConstMatDescr_t, valueType::Ptr{bsDataType_t})::bsStatus_t
bsMatGetPointers(mat, offsets, indices, values) =
    @ccall libbsparse.bsMatGetPointers(mat::bsMatDescr_t, offsets::Ptr{Ptr{Cvoid}}, indices::Ptr{Ptr{Cvoid}}, values::Ptr{Ptr{Cvoid}})::bsStatus_t
bsMatGetConstPointers(mat, offsets, indices, values) =
    @ccall libbsparse.bsMatGetConstPointers(mat::bsConstMatDescr_t, offsets::Ptr{Ptr{Cvoid}}, indices::Ptr{Ptr{Cvoid}}, values::Ptr{Ptr{Cvoid}})::bsStatus_t
bsMatGetDense(mat, ld, order) =
    @ccall libbsparse.bsMatGetDense(mat::bsConstMatDescr_t, ld::Ptr{Int64}, order::Ptr{bsOrder_t})::bsStatus_t
bsMatGetIndexing(mat, offsetType, indexType, base) =
    @ccall libbsparse.bsMatGetIndexing(mat::bsConstMatDescr_t, offsetType::Ptr{bsIndexType_t}, indexType::Ptr{bsIndexType_t}, base::Ptr{bsIndexBase_t})::bsStatus_t
bsMatGetBlocks(mat, rowBlockSize, colBlockSize, blockOrder) =
    @ccall libbsparse.bsMatGetBlocks(mat::bsConstMatDescr_t, rowBlockSize::Ptr{Int64}, colBlockSize::Ptr{Int64}, blockOrder::Ptr{bsOrder_t})::bsStatus_t
bsMatGetBatch(mat, count, valueStride, offsetStride, indexStride) =
    @ccall libbsparse.bsMatGetBatch(mat::bsConstMatDescr_t, count::Ptr{Int64}, valueStride::Ptr{Int64}, offsetStride::Ptr{Int64}, indexStride::Ptr{Int64})::bsStatus_t
bsMatGetGate(mat, gate, stride) =
    @ccall libbsparse.bsMatGetGate(mat::bsConstMatDescr_t, gate::Ptr{Ptr{Float32}}, stride::Ptr{Int64})::bsStatus_t
bsMatGetAnalysis(mat, flags) =
    @ccall libbsparse.bsMatGetAnalysis(mat::bsConstMatDescr_t, flags::Ptr{bsAnalyzeFlags_t})::bsStatus_t
bsMatSetPointers(mat, offsets, indices, values) =
    @ccall libbsparse.bsMatSetPointers(mat::bsMatDescr_t, offsets::Ptr{Cvoid}, indices::Ptr{Cvoid}, values::Ptr{Cvoid})::bsStatus_t
bsMatSetConstPointers(mat, offsets, indices, values) =
    @ccall libbsparse.bsMatSetConstPointers(mat::bsMatDescr_t, offsets::Ptr{Cvoid}, indices::Ptr{Cvoid}, values::Ptr{Cvoid})::bsStatus_t
bsMatSetValues(mat, values) =
    @ccall libbsparse.bsMatSetValues(mat::bsMatDescr_t, values::Ptr{Cvoid})::bsStatus_t
bsMatSetConstValues(mat, values) =
    @ccall libbsparse.bsMatSetConstValues(mat::bsMatDescr_t, values::Ptr{Cvoid})::bsStatus_t
bsMatSetBatch(mat, count, valueStride, offsetStride, indexStride) =
    @ccall libbsparse.bsMatSetBatch(mat::bsMatDescr_t, count::Int64, valueStride::Int64, offsetStride::Int64, indexStride::Int64)::bsStatus_t
bsMatSetGate(mat, gate, stride) =
    @ccall libbsparse.bsMatSetGate(mat::bsMatDescr_t, gate::Ptr{Float32}, stride::Int64)::bsStatus_t
bsMatAnalyze_bufferSize(handle, mat, flags, bytes) =
    @ccall libbsparse.bsMatAnalyze_bufferSize(handle::bsHandle_t, mat::bsConstMatDescr_t, flags::bsAnalyzeFlags_t, bytes::Ptr{Int64})::bsStatus_t
bsMatAnalyze(handle, mat, flags, buffer, bytes) =
    @ccall libbsparse.bsMatAnalyze(handle::bsHandle_t, mat::bsMatDescr_t, flags::bsAnalyzeFlags_t, buffer::Ptr{Cvoid}, bytes::Int64)::bsStatus_t
bsMatStructureChanged(mat) =
    @ccall libbsparse.bsMatStructureChanged(mat::bsMatDescr_t)::bsStatus_t
bsMatValuesChanged(handle, mat) =
    @ccall libbsparse.bsMatValuesChanged(handle::bsHandle_t, mat::bsMatDescr_t)::bsStatus_t
bsMatGetStat(mat, stat, value) =
    @ccall libbsparse.bsMatGetStat(mat::bsConstMatDescr_t, stat::bsStat_t, value::Ptr{Float64})::bsStatus_t
bsMatCheck(handle, mat, finding, position) =
    @ccall libbsparse.bsMatCheck(handle::bsHandle_t, mat::bsConstMatDescr_t, finding::Ptr{bsContent_t}, position::Ptr{Int64})::bsStatus_t
bsCreateOptions(options) =
    @ccall libbsparse.bsCreateOptions(options::Ptr{bsOptions_t})::bsStatus_t
bsDestroyOptions(options) =
    @ccall libbsparse.bsDestroyOptions(options::bsOptions_t)::bsStatus_t
bsOptionsSetInt(options, option, value) =
    @ccall libbsparse.bsOptionsSetInt(options::bsOptions_t, option::bsOption_t, value::Int64)::bsStatus_t
bsOptionsGetInt(options, option, value) =
    @ccall libbsparse.bsOptionsGetInt(options::bsConstOptions_t, option::bsOption_t, value::Ptr{Int64})::bsStatus_t
bsOptionsSetRoute(options, route) =
    @ccall libbsparse.bsOptionsSetRoute(options::bsOptions_t, route::Cstring)::bsStatus_t
bsOptionsGetRoute(options, route) =
    @ccall libbsparse.bsOptionsGetRoute(options::bsConstOptions_t, route::Ptr{Cstring})::bsStatus_t
bsOptionsSetBias(options, bias, type, axis, stride) =
    @ccall libbsparse.bsOptionsSetBias(options::bsOptions_t, bias::Ptr{Cvoid}, type::bsDataType_t, axis::bsAxis_t, stride::Int64)::bsStatus_t
bsOptionsGetBias(options, bias, type, axis, stride) =
    @ccall libbsparse.bsOptionsGetBias(options::bsConstOptions_t, bias::Ptr{Ptr{Cvoid}}, type::Ptr{bsDataType_t}, axis::Ptr{bsAxis_t}, stride::Ptr{Int64})::bsStatus_t
bsOptionsSetAuxiliary(options, auxiliary) =
    @ccall libbsparse.bsOptionsSetAuxiliary(options::bsOptions_t, auxiliary::bsMatDescr_t)::bsStatus_t
bsOptionsGetAuxiliary(options, auxiliary) =
    @ccall libbsparse.bsOptionsGetAuxiliary(options::bsConstOptions_t, auxiliary::Ptr{bsMatDescr_t})::bsStatus_t
bsOptionsSetBiasGradient(options, gradient, type, axis) =
    @ccall libbsparse.bsOptionsSetBiasGradient(options::bsOptions_t, gradient::Ptr{Cvoid}, type::bsDataType_t, axis::bsAxis_t)::bsStatus_t
bsOptionsGetBiasGradient(options, gradient, type, axis) =
    @ccall libbsparse.bsOptionsGetBiasGradient(options::bsConstOptions_t, gradient::Ptr{Ptr{Cvoid}}, type::Ptr{bsDataType_t}, axis::Ptr{bsAxis_t})::bsStatus_t
bsSpMM_bufferSize(handle, opA, opB, alpha, A, B, beta, C, compute, options, bytes) =
    @ccall libbsparse.bsSpMM_bufferSize(handle::bsHandle_t, opA::bsOperation_t, opB::bsOperation_t, alpha::Ptr{Cvoid}, A::bsConstMatDescr_t, B::bsConstMatDescr_t, beta::Ptr{Cvoid}, C::bsConstMatDescr_t, compute::bsDataType_t, options::bsConstOptions_t, bytes::Ptr{Int64})::bsStatus_t
bsSpMM(handle, opA, opB, alpha, A, B, beta, C, compute, options, workspace, bytes) =
    @ccall libbsparse.bsSpMM(handle::bsHandle_t, opA::bsOperation_t, opB::bsOperation_t, alpha::Ptr{Cvoid}, A::bsConstMatDescr_t, B::bsConstMatDescr_t, beta::Ptr{Cvoid}, C::bsMatDescr_t, compute::bsDataType_t, options::bsConstOptions_t, workspace::Ptr{Cvoid}, bytes::Int64)::bsStatus_t
bsSDDMM_bufferSize(handle, opA, opB, alpha, A, B, beta, C, compute, options, bytes) =
    @ccall libbsparse.bsSDDMM_bufferSize(handle::bsHandle_t, opA::bsOperation_t, opB::bsOperation_t, alpha::Ptr{Cvoid}, A::bsConstMatDescr_t, B::bsConstMatDescr_t, beta::Ptr{Cvoid}, C::bsConstMatDescr_t, compute::bsDataType_t, options::bsConstOptions_t, bytes::Ptr{Int64})::bsStatus_t
bsSDDMM(handle, opA, opB, alpha, A, B, beta, C, compute, options, workspace, bytes) =
    @ccall libbsparse.bsSDDMM(handle::bsHandle_t, opA::bsOperation_t, opB::bsOperation_t, alpha::Ptr{Cvoid}, A::bsConstMatDescr_t, B::bsConstMatDescr_t, beta::Ptr{Cvoid}, C::bsMatDescr_t, compute::bsDataType_t, options::bsConstOptions_t, workspace::Ptr{Cvoid}, bytes::Int64)::bsStatus_t
bsSpMV_bufferSize(handle, opA, alpha, A, x, beta, y, compute, options, bytes) =
    @ccall libbsparse.bsSpMV_bufferSize(handle::bsHandle_t, opA::bsOperation_t, alpha::Ptr{Cvoid}, A::bsConstMatDescr_t, x::bsConstMatDescr_t, beta::Ptr{Cvoid}, y::bsConstMatDescr_t, compute::bsDataType_t, options::bsConstOptions_t, bytes::Ptr{Int64})::bsStatus_t
bsSpMV(handle, opA, alpha, A, x, beta, y, compute, options, workspace, bytes) =
    @ccall libbsparse.bsSpMV(handle::bsHandle_t, opA::bsOperation_t, alpha::Ptr{Cvoid}, A::bsConstMatDescr_t, x::bsConstMatDescr_t, beta::Ptr{Cvoid}, y::bsMatDescr_t, compute::bsDataType_t, options::bsConstOptions_t, workspace::Ptr{Cvoid}, bytes::Int64)::bsStatus_t
bsBlockGateGrad(handle, W, dW, gradient, stride) =
    @ccall libbsparse.bsBlockGateGrad(handle::bsHandle_t, W::bsConstMatDescr_t, dW::bsConstMatDescr_t, gradient::Ptr{Float32}, stride::Int64)::bsStatus_t
bsConvert_bufferSize(handle, op, source, destination, bytes) =
    @ccall libbsparse.bsConvert_bufferSize(handle::bsHandle_t, op::bsOperation_t, source::bsConstMatDescr_t, destination::bsConstMatDescr_t, bytes::Ptr{Int64})::bsStatus_t
bsConvert_count(handle, op, source, destination, workspace, bytes) =
    @ccall libbsparse.bsConvert_count(handle::bsHandle_t, op::bsOperation_t, source::bsConstMatDescr_t, destination::bsMatDescr_t, workspace::Ptr{Cvoid}, bytes::Int64)::bsStatus_t
bsConvert_fill(handle, op, source, destination, workspace, bytes) =
    @ccall libbsparse.bsConvert_fill(handle::bsHandle_t, op::bsOperation_t, source::bsConstMatDescr_t, destination::bsMatDescr_t, workspace::Ptr{Cvoid}, bytes::Int64)::bsStatus_t
bsSpMM_explain(handle, opA, opB, alpha, A, B, beta, C, compute, options, device, report) =
    @ccall libbsparse.bsSpMM_explain(handle::bsHandle_t, opA::bsOperation_t, opB::bsOperation_t, alpha::Ptr{Cvoid}, A::bsConstMatDescr_t, B::bsConstMatDescr_t, beta::Ptr{Cvoid}, C::bsConstMatDescr_t, compute::bsDataType_t, options::bsConstOptions_t, device::Cstring, report::Ptr{bsReport_t})::bsStatus_t
bsSDDMM_explain(handle, opA, opB, alpha, A, B, beta, C, compute, options, device, report) =
    @ccall libbsparse.bsSDDMM_explain(handle::bsHandle_t, opA::bsOperation_t, opB::bsOperation_t, alpha::Ptr{Cvoid}, A::bsConstMatDescr_t, B::bsConstMatDescr_t, beta::Ptr{Cvoid}, C::bsConstMatDescr_t, compute::bsDataType_t, options::bsConstOptions_t, device::Cstring, report::Ptr{bsReport_t})::bsStatus_t
bsDestroyReport(report) =
    @ccall libbsparse.bsDestroyReport(report::bsReport_t)::bsStatus_t
bsReportGetCount(report, count) =
    @ccall libbsparse.bsReportGetCount(report::bsReport_t, count::Ptr{Int64})::bsStatus_t
bsReportGet(report, index, key, data, size) =
    @ccall libbsparse.bsReportGet(report::bsReport_t, index::Int64, key::bsReportKey_t, data::Ptr{Cvoid}, size::Int64)::bsStatus_t
bsReportGetText(report, text) =
    @ccall libbsparse.bsReportGetText(report::bsReport_t, text::Ptr{Cstring})::bsStatus_t

struct Error <: Exception
    status::bsStatus_t
    message::String
end
Base.showerror(io::IO, error::Error) = print(io, unsafe_string(bsStatusName(error.status)), ": ", error.message)

# Throws what failed.
check(status) = status == BS_STATUS_SUCCESS ? nothing : throw(Error(status, unsafe_string(bsGetLastErrorMessage())))

end
