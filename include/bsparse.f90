! The interface of libbsparse for Fortran 2003 and newer, with the optional arguments of Fortran 2018. Made from bsparse.h,
! which is the manual. Compile it with your own compiler (module files are not interchangeable), link -lbsparse.
!
!   Handles are derived types; a new one is null. Matrices have one type, whatever their format.
!   Arrays and scalars whose memory C wants are passed as c_loc(x), x with the TARGET attribute; c_null_ptr is NULL. A
!   descriptor keeps the address, so x must live as long and be contiguous.
!   Strings given to the library end in c_null_char; bsString makes a Fortran string of one that the library gives.
!   What the manual calls nullable is optional here where it is a string or written through the pointer.
!   Fortran's arrays are BS_ORDER_COL matrices; BS_INDEX_BASE_ONE counts from 1.
module bsparse
  use, intrinsic :: iso_c_binding
  implicit none
  public

  integer(c_int32_t), parameter :: BSPARSE_VERSION = 100_c_int32_t
  integer(c_int32_t), parameter :: BSPARSE_WORKSPACE_ALIGNMENT = 256_c_int32_t

  integer, parameter :: bsStatus_t = c_int32_t
  integer(bsStatus_t), parameter :: BS_STATUS_SUCCESS = 0_c_int32_t
  integer(bsStatus_t), parameter :: BS_STATUS_INVALID_HANDLE = 10_c_int32_t
  integer(bsStatus_t), parameter :: BS_STATUS_INVALID_POINTER = 11_c_int32_t
  integer(bsStatus_t), parameter :: BS_STATUS_INVALID_SIZE = 12_c_int32_t
  integer(bsStatus_t), parameter :: BS_STATUS_INVALID_VALUE = 13_c_int32_t
  integer(bsStatus_t), parameter :: BS_STATUS_INVALID_TYPE = 14_c_int32_t
  integer(bsStatus_t), parameter :: BS_STATUS_INVALID_SHAPE = 15_c_int32_t
  integer(bsStatus_t), parameter :: BS_STATUS_INVALID_ALIAS = 16_c_int32_t
  integer(bsStatus_t), parameter :: BS_STATUS_INVALID_POINTER_MODE = 17_c_int32_t
  integer(bsStatus_t), parameter :: BS_STATUS_INSUFFICIENT_WORKSPACE = 20_c_int32_t
  integer(bsStatus_t), parameter :: BS_STATUS_STALE_ANALYSIS = 21_c_int32_t
  integer(bsStatus_t), parameter :: BS_STATUS_INVALID_CONTENT = 22_c_int32_t
  integer(bsStatus_t), parameter :: BS_STATUS_NOT_SUPPORTED = 30_c_int32_t
  integer(bsStatus_t), parameter :: BS_STATUS_ARCH_MISMATCH = 31_c_int32_t
  integer(bsStatus_t), parameter :: BS_STATUS_ALLOC_FAILED = 40_c_int32_t
  integer(bsStatus_t), parameter :: BS_STATUS_CUDA_ERROR = 50_c_int32_t
  integer(bsStatus_t), parameter :: BS_STATUS_EARLIER_CUDA_ERROR = 51_c_int32_t
  integer(bsStatus_t), parameter :: BS_STATUS_MISSING_LIBRARY = 52_c_int32_t
  integer(bsStatus_t), parameter :: BS_STATUS_IO_ERROR = 60_c_int32_t
  integer(bsStatus_t), parameter :: BS_STATUS_INTERNAL_ERROR = 90_c_int32_t

  integer, parameter :: bsBackend_t = c_int32_t
  integer(bsBackend_t), parameter :: BS_BACKEND_CPU = 1_c_int32_t
  integer(bsBackend_t), parameter :: BS_BACKEND_CUDA = 2_c_int32_t

  integer, parameter :: bsDataType_t = c_int32_t
  integer(bsDataType_t), parameter :: BS_R_32F = 0_c_int32_t
  integer(bsDataType_t), parameter :: BS_R_64F = 1_c_int32_t
  integer(bsDataType_t), parameter :: BS_R_16F = 2_c_int32_t
  integer(bsDataType_t), parameter :: BS_R_16BF = 14_c_int32_t

  integer, parameter :: bsIndexType_t = c_int32_t
  integer(bsIndexType_t), parameter :: BS_INDEX_32I = 2_c_int32_t
  integer(bsIndexType_t), parameter :: BS_INDEX_64I = 3_c_int32_t

  integer, parameter :: bsIndexBase_t = c_int32_t
  integer(bsIndexBase_t), parameter :: BS_INDEX_BASE_ZERO = 0_c_int32_t
  integer(bsIndexBase_t), parameter :: BS_INDEX_BASE_ONE = 1_c_int32_t

  integer, parameter :: bsOperation_t = c_int32_t
  integer(bsOperation_t), parameter :: BS_OPERATION_NON_TRANSPOSE = 0_c_int32_t
  integer(bsOperation_t), parameter :: BS_OPERATION_TRANSPOSE = 1_c_int32_t
  integer(bsOperation_t), parameter :: BS_OPERATION_CONJUGATE_TRANSPOSE = 2_c_int32_t

  integer, parameter :: bsOrder_t = c_int32_t
  integer(bsOrder_t), parameter :: BS_ORDER_COL = 1_c_int32_t
  integer(bsOrder_t), parameter :: BS_ORDER_ROW = 2_c_int32_t

  integer, parameter :: bsFormat_t = c_int32_t
  integer(bsFormat_t), parameter :: BS_FORMAT_CSR = 1_c_int32_t
  integer(bsFormat_t), parameter :: BS_FORMAT_CSC = 2_c_int32_t
  integer(bsFormat_t), parameter :: BS_FORMAT_COO = 3_c_int32_t
  integer(bsFormat_t), parameter :: BS_FORMAT_BSR = 6_c_int32_t
  integer(bsFormat_t), parameter :: BS_FORMAT_DENSE = 100_c_int32_t

  integer, parameter :: bsPointerMode_t = c_int32_t
  integer(bsPointerMode_t), parameter :: BS_POINTER_MODE_HOST = 0_c_int32_t
  integer(bsPointerMode_t), parameter :: BS_POINTER_MODE_DEVICE = 1_c_int32_t

  integer, parameter :: bsAnalyzeFlags_t = c_int32_t
  integer(bsAnalyzeFlags_t), parameter :: BS_ANALYZE_STATS = 1_c_int32_t
  integer(bsAnalyzeFlags_t), parameter :: BS_ANALYZE_ORDER = 2_c_int32_t
  integer(bsAnalyzeFlags_t), parameter :: BS_ANALYZE_TRANSPOSE = 4_c_int32_t
  integer(bsAnalyzeFlags_t), parameter :: BS_ANALYZE_PACK = 8_c_int32_t

  integer, parameter :: bsStat_t = c_int32_t
  integer(bsStat_t), parameter :: BS_STAT_NNZ = 1_c_int32_t
  integer(bsStat_t), parameter :: BS_STAT_DENSITY = 2_c_int32_t
  integer(bsStat_t), parameter :: BS_STAT_ROW_LENGTH_MEAN = 3_c_int32_t
  integer(bsStat_t), parameter :: BS_STAT_ROW_LENGTH_STDDEV = 4_c_int32_t
  integer(bsStat_t), parameter :: BS_STAT_ROW_LENGTH_MIN = 5_c_int32_t
  integer(bsStat_t), parameter :: BS_STAT_ROW_LENGTH_MEDIAN = 6_c_int32_t
  integer(bsStat_t), parameter :: BS_STAT_ROW_LENGTH_P95 = 7_c_int32_t
  integer(bsStat_t), parameter :: BS_STAT_ROW_LENGTH_MAX = 8_c_int32_t
  integer(bsStat_t), parameter :: BS_STAT_EMPTY_ROWS = 9_c_int32_t
  integer(bsStat_t), parameter :: BS_STAT_EMPTY_COLS = 10_c_int32_t
  integer(bsStat_t), parameter :: BS_STAT_SORTED = 11_c_int32_t
  integer(bsStat_t), parameter :: BS_STAT_OCCUPANCY_8 = 12_c_int32_t
  integer(bsStat_t), parameter :: BS_STAT_OCCUPANCY_16 = 13_c_int32_t
  integer(bsStat_t), parameter :: BS_STAT_OCCUPANCY_32 = 14_c_int32_t
  integer(bsStat_t), parameter :: BS_STAT_OCCUPANCY_64 = 15_c_int32_t

  integer, parameter :: bsContent_t = c_int32_t
  integer(bsContent_t), parameter :: BS_CONTENT_OK = 0_c_int32_t
  integer(bsContent_t), parameter :: BS_CONTENT_OFFSET_RANGE = 1_c_int32_t
  integer(bsContent_t), parameter :: BS_CONTENT_OFFSET_DECREASING = 2_c_int32_t
  integer(bsContent_t), parameter :: BS_CONTENT_INDEX_RANGE = 3_c_int32_t
  integer(bsContent_t), parameter :: BS_CONTENT_UNSORTED = 10_c_int32_t
  integer(bsContent_t), parameter :: BS_CONTENT_DUPLICATE = 11_c_int32_t

  integer, parameter :: bsOption_t = c_int32_t
  integer(bsOption_t), parameter :: BS_OPTION_STRICT = 1_c_int32_t
  integer(bsOption_t), parameter :: BS_OPTION_DETERMINISTIC = 2_c_int32_t
  integer(bsOption_t), parameter :: BS_OPTION_ALLOW_TF32 = 3_c_int32_t
  integer(bsOption_t), parameter :: BS_OPTION_ACTIVATION = 4_c_int32_t

  integer, parameter :: bsActivation_t = c_int32_t
  integer(bsActivation_t), parameter :: BS_ACTIVATION_NONE = 0_c_int32_t
  integer(bsActivation_t), parameter :: BS_ACTIVATION_RELU = 1_c_int32_t
  integer(bsActivation_t), parameter :: BS_ACTIVATION_GELU_ERF = 2_c_int32_t
  integer(bsActivation_t), parameter :: BS_ACTIVATION_GELU_TANH = 3_c_int32_t
  integer(bsActivation_t), parameter :: BS_ACTIVATION_SILU = 4_c_int32_t

  integer, parameter :: bsAxis_t = c_int32_t
  integer(bsAxis_t), parameter :: BS_AXIS_ROW = 1_c_int32_t
  integer(bsAxis_t), parameter :: BS_AXIS_COL = 2_c_int32_t

  integer, parameter :: bsReportKey_t = c_int32_t
  integer(bsReportKey_t), parameter :: BS_REPORT_ROUTE = 1_c_int32_t
  integer(bsReportKey_t), parameter :: BS_REPORT_ACCEPTED = 2_c_int32_t
  integer(bsReportKey_t), parameter :: BS_REPORT_REASON = 3_c_int32_t
  integer(bsReportKey_t), parameter :: BS_REPORT_MICROSECONDS = 4_c_int32_t
  integer(bsReportKey_t), parameter :: BS_REPORT_WORKSPACE = 5_c_int32_t
  integer(bsReportKey_t), parameter :: BS_REPORT_DETERMINISTIC = 6_c_int32_t
  integer(bsReportKey_t), parameter :: BS_REPORT_ISOLATES = 7_c_int32_t
  integer(bsReportKey_t), parameter :: BS_REPORT_CHOSEN = 8_c_int32_t

  type, bind(C) :: bsHandle_t  ! device, stream, pointer mode, log sink, choice cache
    type(c_ptr) :: pointer = c_null_ptr
  end type

  type, bind(C) :: bsMatDescr_t  ! any matrix: dense, CSR, CSC, COO or BSR
    type(c_ptr) :: pointer = c_null_ptr
  end type

  type, bind(C) :: bsOptions_t  ! optional settings of one call
    type(c_ptr) :: pointer = c_null_ptr
  end type

  type, bind(C) :: bsReport_t  ! answer of an explain function
    type(c_ptr) :: pointer = c_null_ptr
  end type

  type, bind(C) :: bsStream_t  ! the same type as cudaStream_t and CUstream
    type(c_ptr) :: pointer = c_null_ptr
  end type

  interface
    function bsCreate(handle) bind(C, name="bsCreate") result(status)
      import :: bsHandle_t, bsStatus_t
      type(bsHandle_t), intent(out) :: handle
      integer(bsStatus_t) :: status
    end function

    function bsCreateOn(handle, backend, device) bind(C, name="bsCreateOn") result(status)
      import :: bsBackend_t, bsHandle_t, bsStatus_t, c_int32_t
      type(bsHandle_t), intent(out) :: handle
      integer(bsBackend_t), value :: backend
      integer(c_int32_t), value :: device
      integer(bsStatus_t) :: status
    end function

    function bsDestroy(handle) bind(C, name="bsDestroy") result(status)
      import :: bsHandle_t, bsStatus_t
      type(bsHandle_t), value :: handle
      integer(bsStatus_t) :: status
    end function

    function bsSetStream(handle, stream) bind(C, name="bsSetStream") result(status)
      import :: bsHandle_t, bsStatus_t, bsStream_t
      type(bsHandle_t), value :: handle
      type(bsStream_t), value :: stream
      integer(bsStatus_t) :: status
    end function

    function bsGetStream(handle, stream) bind(C, name="bsGetStream") result(status)
      import :: bsHandle_t, bsStatus_t, bsStream_t
      type(bsHandle_t), value :: handle
      type(bsStream_t), intent(out) :: stream
      integer(bsStatus_t) :: status
    end function

    function bsSetPointerMode(handle, mode) bind(C, name="bsSetPointerMode") result(status)
      import :: bsHandle_t, bsPointerMode_t, bsStatus_t
      type(bsHandle_t), value :: handle
      integer(bsPointerMode_t), value :: mode
      integer(bsStatus_t) :: status
    end function

    function bsGetPointerMode(handle, mode) bind(C, name="bsGetPointerMode") result(status)
      import :: bsHandle_t, bsPointerMode_t, bsStatus_t
      type(bsHandle_t), value :: handle
      integer(bsPointerMode_t), intent(out) :: mode
      integer(bsStatus_t) :: status
    end function

    function bsSetNumThreads(handle, threads) bind(C, name="bsSetNumThreads") result(status)
      import :: bsHandle_t, bsStatus_t, c_int32_t
      type(bsHandle_t), value :: handle
      integer(c_int32_t), value :: threads
      integer(bsStatus_t) :: status
    end function

    function bsGetNumThreads(handle, threads) bind(C, name="bsGetNumThreads") result(status)
      import :: bsHandle_t, bsStatus_t, c_int32_t
      type(bsHandle_t), value :: handle
      integer(c_int32_t), intent(out) :: threads
      integer(bsStatus_t) :: status
    end function

    function bsGetBackend(handle, backend) bind(C, name="bsGetBackend") result(status)
      import :: bsBackend_t, bsHandle_t, bsStatus_t
      type(bsHandle_t), value :: handle
      integer(bsBackend_t), intent(out) :: backend
      integer(bsStatus_t) :: status
    end function

    function bsGetDevice(handle, device) bind(C, name="bsGetDevice") result(status)
      import :: bsHandle_t, bsStatus_t, c_int32_t
      type(bsHandle_t), value :: handle
      integer(c_int32_t), intent(out) :: device
      integer(bsStatus_t) :: status
    end function

    function bsGetDeviceName(handle, name) bind(C, name="bsGetDeviceName") result(status)
      import :: bsHandle_t, bsStatus_t, c_ptr
      type(bsHandle_t), value :: handle
      type(c_ptr), intent(out) :: name
      integer(bsStatus_t) :: status
    end function

    function bsSetLogCallback(handle, callback, user) bind(C, name="bsSetLogCallback") result(status)
      import :: bsHandle_t, bsStatus_t, c_funptr, c_ptr
      type(bsHandle_t), value :: handle
      type(c_funptr), value :: callback
      type(c_ptr), value :: user
      integer(bsStatus_t) :: status
    end function

    function bsGetVersion(version) bind(C, name="bsGetVersion") result(status)
      import :: bsStatus_t, c_int32_t
      integer(c_int32_t), intent(out) :: version
      integer(bsStatus_t) :: status
    end function

    function bsHasFeature(feature, supported) bind(C, name="bsHasFeature") result(status)
      import :: bsStatus_t, c_char, c_int32_t
      character(kind=c_char), intent(in) :: feature(*)
      integer(c_int32_t), intent(out) :: supported
      integer(bsStatus_t) :: status
    end function

    function bsStatusName(status) bind(C, name="bsStatusName") result(text)
      import :: bsStatus_t, c_ptr
      integer(bsStatus_t), value :: status
      type(c_ptr) :: text
    end function

    function bsStatusString(status) bind(C, name="bsStatusString") result(text)
      import :: bsStatus_t, c_ptr
      integer(bsStatus_t), value :: status
      type(c_ptr) :: text
    end function

    function bsGetLastErrorMessage() bind(C, name="bsGetLastErrorMessage") result(text)
      import :: c_ptr
      type(c_ptr) :: text
    end function

    function bsMalloc(handle, pointer, bytes) bind(C, name="bsMalloc") result(status)
      import :: bsHandle_t, bsStatus_t, c_int64_t, c_ptr
      type(bsHandle_t), value :: handle
      type(c_ptr), intent(out) :: pointer
      integer(c_int64_t), value :: bytes
      integer(bsStatus_t) :: status
    end function

    function bsFree(handle, pointer) bind(C, name="bsFree") result(status)
      import :: bsHandle_t, bsStatus_t, c_ptr
      type(bsHandle_t), value :: handle
      type(c_ptr), value :: pointer
      integer(bsStatus_t) :: status
    end function

    function bsMemcpy(handle, destination, source, bytes) bind(C, name="bsMemcpy") result(status)
      import :: bsHandle_t, bsStatus_t, c_int64_t, c_ptr
      type(bsHandle_t), value :: handle
      type(c_ptr), value :: destination
      type(c_ptr), value :: source
      integer(c_int64_t), value :: bytes
      integer(bsStatus_t) :: status
    end function

    function bsSynchronize(handle) bind(C, name="bsSynchronize") result(status)
      import :: bsHandle_t, bsStatus_t
      type(bsHandle_t), value :: handle
      integer(bsStatus_t) :: status
    end function

    function bsCreateDense(mat, rows, cols, ld, values, valueType, order) bind(C, name="bsCreateDense") &
        result(status)
      import :: bsDataType_t, bsMatDescr_t, bsOrder_t, bsStatus_t, c_int64_t, c_ptr
      type(bsMatDescr_t), intent(out) :: mat
      integer(c_int64_t), value :: rows
      integer(c_int64_t), value :: cols
      integer(c_int64_t), value :: ld
      type(c_ptr), value :: values
      integer(bsDataType_t), value :: valueType
      integer(bsOrder_t), value :: order
      integer(bsStatus_t) :: status
    end function

    function bsCreateCsr(mat, rows, cols, nnz, rowOffsets, colIndices, values, offsetType, indexType, base, &
        valueType) bind(C, name="bsCreateCsr") result(status)
      import :: bsDataType_t, bsIndexBase_t, bsIndexType_t, bsMatDescr_t, bsStatus_t, c_int64_t, c_ptr
      type(bsMatDescr_t), intent(out) :: mat
      integer(c_int64_t), value :: rows
      integer(c_int64_t), value :: cols
      integer(c_int64_t), value :: nnz
      type(c_ptr), value :: rowOffsets
      type(c_ptr), value :: colIndices
      type(c_ptr), value :: values
      integer(bsIndexType_t), value :: offsetType
      integer(bsIndexType_t), value :: indexType
      integer(bsIndexBase_t), value :: base
      integer(bsDataType_t), value :: valueType
      integer(bsStatus_t) :: status
    end function

    function bsCreateCsc(mat, rows, cols, nnz, colOffsets, rowIndices, values, offsetType, indexType, base, &
        valueType) bind(C, name="bsCreateCsc") result(status)
      import :: bsDataType_t, bsIndexBase_t, bsIndexType_t, bsMatDescr_t, bsStatus_t, c_int64_t, c_ptr
      type(bsMatDescr_t), intent(out) :: mat
      integer(c_int64_t), value :: rows
      integer(c_int64_t), value :: cols
      integer(c_int64_t), value :: nnz
      type(c_ptr), value :: colOffsets
      type(c_ptr), value :: rowIndices
      type(c_ptr), value :: values
      integer(bsIndexType_t), value :: offsetType
      integer(bsIndexType_t), value :: indexType
      integer(bsIndexBase_t), value :: base
      integer(bsDataType_t), value :: valueType
      integer(bsStatus_t) :: status
    end function

    function bsCreateCoo(mat, rows, cols, nnz, rowIndices, colIndices, values, indexType, base, valueType) bind(C, &
        name="bsCreateCoo") result(status)
      import :: bsDataType_t, bsIndexBase_t, bsIndexType_t, bsMatDescr_t, bsStatus_t, c_int64_t, c_ptr
      type(bsMatDescr_t), intent(out) :: mat
      integer(c_int64_t), value :: rows
      integer(c_int64_t), value :: cols
      integer(c_int64_t), value :: nnz
      type(c_ptr), value :: rowIndices
      type(c_ptr), value :: colIndices
      type(c_ptr), value :: values
      integer(bsIndexType_t), value :: indexType
      integer(bsIndexBase_t), value :: base
      integer(bsDataType_t), value :: valueType
      integer(bsStatus_t) :: status
    end function

    function bsCreateBsr(mat, rows, cols, nnzb, rowBlockSize, colBlockSize, rowOffsets, colIndices, values, &
        offsetType, indexType, base, valueType, blockOrder) bind(C, name="bsCreateBsr") result(status)
      import :: bsDataType_t, bsIndexBase_t, bsIndexType_t, bsMatDescr_t, bsOrder_t, bsStatus_t, c_int64_t, c_ptr
      type(bsMatDescr_t), intent(out) :: mat
      integer(c_int64_t), value :: rows
      integer(c_int64_t), value :: cols
      integer(c_int64_t), value :: nnzb
      integer(c_int64_t), value :: rowBlockSize
      integer(c_int64_t), value :: colBlockSize
      type(c_ptr), value :: rowOffsets
      type(c_ptr), value :: colIndices
      type(c_ptr), value :: values
      integer(bsIndexType_t), value :: offsetType
      integer(bsIndexType_t), value :: indexType
      integer(bsIndexBase_t), value :: base
      integer(bsDataType_t), value :: valueType
      integer(bsOrder_t), value :: blockOrder
      integer(bsStatus_t) :: status
    end function

    function bsCreateConstDense(mat, rows, cols, ld, values, valueType, order) bind(C, name="bsCreateConstDense") &
        result(status)
      import :: bsDataType_t, bsMatDescr_t, bsOrder_t, bsStatus_t, c_int64_t, c_ptr
      type(bsMatDescr_t), intent(out) :: mat
      integer(c_int64_t), value :: rows
      integer(c_int64_t), value :: cols
      integer(c_int64_t), value :: ld
      type(c_ptr), value :: values
      integer(bsDataType_t), value :: valueType
      integer(bsOrder_t), value :: order
      integer(bsStatus_t) :: status
    end function

    function bsCreateConstCsr(mat, rows, cols, nnz, rowOffsets, colIndices, values, offsetType, indexType, base, &
        valueType) bind(C, name="bsCreateConstCsr") result(status)
      import :: bsDataType_t, bsIndexBase_t, bsIndexType_t, bsMatDescr_t, bsStatus_t, c_int64_t, c_ptr
      type(bsMatDescr_t), intent(out) :: mat
      integer(c_int64_t), value :: rows
      integer(c_int64_t), value :: cols
      integer(c_int64_t), value :: nnz
      type(c_ptr), value :: rowOffsets
      type(c_ptr), value :: colIndices
      type(c_ptr), value :: values
      integer(bsIndexType_t), value :: offsetType
      integer(bsIndexType_t), value :: indexType
      integer(bsIndexBase_t), value :: base
      integer(bsDataType_t), value :: valueType
      integer(bsStatus_t) :: status
    end function

    function bsCreateConstCsc(mat, rows, cols, nnz, colOffsets, rowIndices, values, offsetType, indexType, base, &
        valueType) bind(C, name="bsCreateConstCsc") result(status)
      import :: bsDataType_t, bsIndexBase_t, bsIndexType_t, bsMatDescr_t, bsStatus_t, c_int64_t, c_ptr
      type(bsMatDescr_t), intent(out) :: mat
      integer(c_int64_t), value :: rows
      integer(c_int64_t), value :: cols
      integer(c_int64_t), value :: nnz
      type(c_ptr), value :: colOffsets
      type(c_ptr), value :: rowIndices
      type(c_ptr), value :: values
      integer(bsIndexType_t), value :: offsetType
      integer(bsIndexType_t), value :: indexType
      integer(bsIndexBase_t), value :: base
      integer(bsDataType_t), value :: valueType
      integer(bsStatus_t) :: status
    end function

    function bsCreateConstCoo(mat, rows, cols, nnz, rowIndices, colIndices, values, indexType, base, valueType) &
        bind(C, name="bsCreateConstCoo") result(status)
      import :: bsDataType_t, bsIndexBase_t, bsIndexType_t, bsMatDescr_t, bsStatus_t, c_int64_t, c_ptr
      type(bsMatDescr_t), intent(out) :: mat
      integer(c_int64_t), value :: rows
      integer(c_int64_t), value :: cols
      integer(c_int64_t), value :: nnz
      type(c_ptr), value :: rowIndices
      type(c_ptr), value :: colIndices
      type(c_ptr), value :: values
      integer(bsIndexType_t), value :: indexType
      integer(bsIndexBase_t), value :: base
      integer(bsDataType_t), value :: valueType
      integer(bsStatus_t) :: status
    end function

    function bsCreateConstBsr(mat, rows, cols, nnzb, rowBlockSize, colBlockSize, rowOffsets, colIndices, values, &
        offsetType, indexType, base, valueType, blockOrder) bind(C, name="bsCreateConstBsr") result(status)
      import :: bsDataType_t, bsIndexBase_t, bsIndexType_t, bsMatDescr_t, bsOrder_t, bsStatus_t, c_int64_t, c_ptr
      type(bsMatDescr_t), intent(out) :: mat
      integer(c_int64_t), value :: rows
      integer(c_int64_t), value :: cols
      integer(c_int64_t), value :: nnzb
      integer(c_int64_t), value :: rowBlockSize
      integer(c_int64_t), value :: colBlockSize
      type(c_ptr), value :: rowOffsets
      type(c_ptr), value :: colIndices
      type(c_ptr), value :: values
      integer(bsIndexType_t), value :: offsetType
      integer(bsIndexType_t), value :: indexType
      integer(bsIndexBase_t), value :: base
      integer(bsDataType_t), value :: valueType
      integer(bsOrder_t), value :: blockOrder
      integer(bsStatus_t) :: status
    end function

    function bsDestroyMat(mat) bind(C, name="bsDestroyMat") result(status)
      import :: bsMatDescr_t, bsStatus_t
      type(bsMatDescr_t), value :: mat
      integer(bsStatus_t) :: status
    end function

    function bsMatGetFormat(mat, format) bind(C, name="bsMatGetFormat") result(status)
      import :: bsFormat_t, bsMatDescr_t, bsStatus_t
      type(bsMatDescr_t), value :: mat
      integer(bsFormat_t), intent(out), optional :: format
      integer(bsStatus_t) :: status
    end function

    function bsMatGetSize(mat, rows, cols, nnz) bind(C, name="bsMatGetSize") result(status)
      import :: bsMatDescr_t, bsStatus_t, c_int64_t
      type(bsMatDescr_t), value :: mat
      integer(c_int64_t), intent(out), optional :: rows
      integer(c_int64_t), intent(out), optional :: cols
      integer(c_int64_t), intent(out), optional :: nnz
      integer(bsStatus_t) :: status
    end function

    function bsMatGetValueType(mat, valueType) bind(C, name="bsMatGetValueType") result(status)
      import :: bsDataType_t, bsMatDescr_t, bsStatus_t
      type(bsMatDescr_t), value :: mat
      integer(bsDataType_t), intent(out), optional :: valueType
      integer(bsStatus_t) :: status
    end function

    function bsMatGetPointers(mat, offsets, indices, values) bind(C, name="bsMatGetPointers") result(status)
      import :: bsMatDescr_t, bsStatus_t, c_ptr
      type(bsMatDescr_t), value :: mat
      type(c_ptr), intent(out), optional :: offsets
      type(c_ptr), intent(out), optional :: indices
      type(c_ptr), intent(out), optional :: values
      integer(bsStatus_t) :: status
    end function

    function bsMatGetConstPointers(mat, offsets, indices, values) bind(C, name="bsMatGetConstPointers") &
        result(status)
      import :: bsMatDescr_t, bsStatus_t, c_ptr
      type(bsMatDescr_t), value :: mat
      type(c_ptr), intent(out), optional :: offsets
      type(c_ptr), intent(out), optional :: indices
      type(c_ptr), intent(out), optional :: values
      integer(bsStatus_t) :: status
    end function

    function bsMatGetDense(mat, ld, order) bind(C, name="bsMatGetDense") result(status)
      import :: bsMatDescr_t, bsOrder_t, bsStatus_t, c_int64_t
      type(bsMatDescr_t), value :: mat
      integer(c_int64_t), intent(out), optional :: ld
      integer(bsOrder_t), intent(out), optional :: order
      integer(bsStatus_t) :: status
    end function

    function bsMatGetIndexing(mat, offsetType, indexType, base) bind(C, name="bsMatGetIndexing") result(status)
      import :: bsIndexBase_t, bsIndexType_t, bsMatDescr_t, bsStatus_t
      type(bsMatDescr_t), value :: mat
      integer(bsIndexType_t), intent(out), optional :: offsetType
      integer(bsIndexType_t), intent(out), optional :: indexType
      integer(bsIndexBase_t), intent(out), optional :: base
      integer(bsStatus_t) :: status
    end function

    function bsMatGetBlocks(mat, rowBlockSize, colBlockSize, blockOrder) bind(C, name="bsMatGetBlocks") &
        result(status)
      import :: bsMatDescr_t, bsOrder_t, bsStatus_t, c_int64_t
      type(bsMatDescr_t), value :: mat
      integer(c_int64_t), intent(out), optional :: rowBlockSize
      integer(c_int64_t), intent(out), optional :: colBlockSize
      integer(bsOrder_t), intent(out), optional :: blockOrder
      integer(bsStatus_t) :: status
    end function

    function bsMatGetBatch(mat, count, valueStride, offsetStride, indexStride) bind(C, name="bsMatGetBatch") &
        result(status)
      import :: bsMatDescr_t, bsStatus_t, c_int64_t
      type(bsMatDescr_t), value :: mat
      integer(c_int64_t), intent(out), optional :: count
      integer(c_int64_t), intent(out), optional :: valueStride
      integer(c_int64_t), intent(out), optional :: offsetStride
      integer(c_int64_t), intent(out), optional :: indexStride
      integer(bsStatus_t) :: status
    end function

    function bsMatGetGate(mat, gate, stride) bind(C, name="bsMatGetGate") result(status)
      import :: bsMatDescr_t, bsStatus_t, c_int64_t, c_ptr
      type(bsMatDescr_t), value :: mat
      type(c_ptr), intent(out), optional :: gate
      integer(c_int64_t), intent(out), optional :: stride
      integer(bsStatus_t) :: status
    end function

    function bsMatGetAnalysis(mat, flags) bind(C, name="bsMatGetAnalysis") result(status)
      import :: bsAnalyzeFlags_t, bsMatDescr_t, bsStatus_t
      type(bsMatDescr_t), value :: mat
      integer(bsAnalyzeFlags_t), intent(out), optional :: flags
      integer(bsStatus_t) :: status
    end function

    function bsMatSetPointers(mat, offsets, indices, values) bind(C, name="bsMatSetPointers") result(status)
      import :: bsMatDescr_t, bsStatus_t, c_ptr
      type(bsMatDescr_t), value :: mat
      type(c_ptr), value :: offsets
      type(c_ptr), value :: indices
      type(c_ptr), value :: values
      integer(bsStatus_t) :: status
    end function

    function bsMatSetConstPointers(mat, offsets, indices, values) bind(C, name="bsMatSetConstPointers") &
        result(status)
      import :: bsMatDescr_t, bsStatus_t, c_ptr
      type(bsMatDescr_t), value :: mat
      type(c_ptr), value :: offsets
      type(c_ptr), value :: indices
      type(c_ptr), value :: values
      integer(bsStatus_t) :: status
    end function

    function bsMatSetValues(mat, values) bind(C, name="bsMatSetValues") result(status)
      import :: bsMatDescr_t, bsStatus_t, c_ptr
      type(bsMatDescr_t), value :: mat
      type(c_ptr), value :: values
      integer(bsStatus_t) :: status
    end function

    function bsMatSetConstValues(mat, values) bind(C, name="bsMatSetConstValues") result(status)
      import :: bsMatDescr_t, bsStatus_t, c_ptr
      type(bsMatDescr_t), value :: mat
      type(c_ptr), value :: values
      integer(bsStatus_t) :: status
    end function

    function bsMatSetBatch(mat, count, valueStride, offsetStride, indexStride) bind(C, name="bsMatSetBatch") &
        result(status)
      import :: bsMatDescr_t, bsStatus_t, c_int64_t
      type(bsMatDescr_t), value :: mat
      integer(c_int64_t), value :: count
      integer(c_int64_t), value :: valueStride
      integer(c_int64_t), value :: offsetStride
      integer(c_int64_t), value :: indexStride
      integer(bsStatus_t) :: status
    end function

    function bsMatSetGate(mat, gate, stride) bind(C, name="bsMatSetGate") result(status)
      import :: bsMatDescr_t, bsStatus_t, c_int64_t, c_ptr
      type(bsMatDescr_t), value :: mat
      type(c_ptr), value :: gate
      integer(c_int64_t), value :: stride
      integer(bsStatus_t) :: status
    end function

    function bsMatAnalyze_bufferSize(handle, mat, flags, bytes) bind(C, name="bsMatAnalyze_bufferSize") &
        result(status)
      import :: bsAnalyzeFlags_t, bsHandle_t, bsMatDescr_t, bsStatus_t, c_int64_t
      type(bsHandle_t), value :: handle
      type(bsMatDescr_t), value :: mat
      integer(bsAnalyzeFlags_t), value :: flags
      integer(c_int64_t), intent(out) :: bytes
      integer(bsStatus_t) :: status
    end function

    function bsMatAnalyze(handle, mat, flags, buffer, bytes) bind(C, name="bsMatAnalyze") result(status)
      import :: bsAnalyzeFlags_t, bsHandle_t, bsMatDescr_t, bsStatus_t, c_int64_t, c_ptr
      type(bsHandle_t), value :: handle
      type(bsMatDescr_t), value :: mat
      integer(bsAnalyzeFlags_t), value :: flags
      type(c_ptr), value :: buffer
      integer(c_int64_t), value :: bytes
      integer(bsStatus_t) :: status
    end function

    function bsMatStructureChanged(mat) bind(C, name="bsMatStructureChanged") result(status)
      import :: bsMatDescr_t, bsStatus_t
      type(bsMatDescr_t), value :: mat
      integer(bsStatus_t) :: status
    end function

    function bsMatValuesChanged(handle, mat) bind(C, name="bsMatValuesChanged") result(status)
      import :: bsHandle_t, bsMatDescr_t, bsStatus_t
      type(bsHandle_t), value :: handle
      type(bsMatDescr_t), value :: mat
      integer(bsStatus_t) :: status
    end function

    function bsMatGetStat(mat, stat, value) bind(C, name="bsMatGetStat") result(status)
      import :: bsMatDescr_t, bsStat_t, bsStatus_t, c_double
      type(bsMatDescr_t), value :: mat
      integer(bsStat_t), value :: stat
      real(c_double), intent(out) :: value
      integer(bsStatus_t) :: status
    end function

    function bsMatCheck(handle, mat, finding, position) bind(C, name="bsMatCheck") result(status)
      import :: bsContent_t, bsHandle_t, bsMatDescr_t, bsStatus_t, c_int64_t
      type(bsHandle_t), value :: handle
      type(bsMatDescr_t), value :: mat
      integer(bsContent_t), intent(out), optional :: finding
      integer(c_int64_t), intent(out), optional :: position
      integer(bsStatus_t) :: status
    end function

    function bsCreateOptions(options) bind(C, name="bsCreateOptions") result(status)
      import :: bsOptions_t, bsStatus_t
      type(bsOptions_t), intent(out) :: options
      integer(bsStatus_t) :: status
    end function

    function bsDestroyOptions(options) bind(C, name="bsDestroyOptions") result(status)
      import :: bsOptions_t, bsStatus_t
      type(bsOptions_t), value :: options
      integer(bsStatus_t) :: status
    end function

    function bsOptionsSetInt(options, option, value) bind(C, name="bsOptionsSetInt") result(status)
      import :: bsOption_t, bsOptions_t, bsStatus_t, c_int64_t
      type(bsOptions_t), value :: options
      integer(bsOption_t), value :: option
      integer(c_int64_t), value :: value
      integer(bsStatus_t) :: status
    end function

    function bsOptionsGetInt(options, option, value) bind(C, name="bsOptionsGetInt") result(status)
      import :: bsOption_t, bsOptions_t, bsStatus_t, c_int64_t
      type(bsOptions_t), value :: options
      integer(bsOption_t), value :: option
      integer(c_int64_t), intent(out) :: value
      integer(bsStatus_t) :: status
    end function

    function bsOptionsSetRoute(options, route) bind(C, name="bsOptionsSetRoute") result(status)
      import :: bsOptions_t, bsStatus_t, c_char
      type(bsOptions_t), value :: options
      character(kind=c_char), intent(in), optional :: route(*)
      integer(bsStatus_t) :: status
    end function

    function bsOptionsGetRoute(options, route) bind(C, name="bsOptionsGetRoute") result(status)
      import :: bsOptions_t, bsStatus_t, c_ptr
      type(bsOptions_t), value :: options
      type(c_ptr), intent(out) :: route
      integer(bsStatus_t) :: status
    end function

    function bsOptionsSetBias(options, bias, type, axis, stride) bind(C, name="bsOptionsSetBias") result(status)
      import :: bsAxis_t, bsDataType_t, bsOptions_t, bsStatus_t, c_int64_t, c_ptr
      type(bsOptions_t), value :: options
      type(c_ptr), value :: bias
      integer(bsDataType_t), value :: type
      integer(bsAxis_t), value :: axis
      integer(c_int64_t), value :: stride
      integer(bsStatus_t) :: status
    end function

    function bsOptionsGetBias(options, bias, type, axis, stride) bind(C, name="bsOptionsGetBias") result(status)
      import :: bsAxis_t, bsDataType_t, bsOptions_t, bsStatus_t, c_int64_t, c_ptr
      type(bsOptions_t), value :: options
      type(c_ptr), intent(out) :: bias
      integer(bsDataType_t), intent(out) :: type
      integer(bsAxis_t), intent(out) :: axis
      integer(c_int64_t), intent(out) :: stride
      integer(bsStatus_t) :: status
    end function

    function bsOptionsSetAuxiliary(options, auxiliary) bind(C, name="bsOptionsSetAuxiliary") result(status)
      import :: bsMatDescr_t, bsOptions_t, bsStatus_t
      type(bsOptions_t), value :: options
      type(bsMatDescr_t), value :: auxiliary
      integer(bsStatus_t) :: status
    end function

    function bsOptionsGetAuxiliary(options, auxiliary) bind(C, name="bsOptionsGetAuxiliary") result(status)
      import :: bsMatDescr_t, bsOptions_t, bsStatus_t
      type(bsOptions_t), value :: options
      type(bsMatDescr_t), intent(out) :: auxiliary
      integer(bsStatus_t) :: status
    end function

    function bsOptionsSetBiasGradient(options, gradient, type, axis) bind(C, name="bsOptionsSetBiasGradient") &
        result(status)
      import :: bsAxis_t, bsDataType_t, bsOptions_t, bsStatus_t, c_ptr
      type(bsOptions_t), value :: options
      type(c_ptr), value :: gradient
      integer(bsDataType_t), value :: type
      integer(bsAxis_t), value :: axis
      integer(bsStatus_t) :: status
    end function

    function bsOptionsGetBiasGradient(options, gradient, type, axis) bind(C, name="bsOptionsGetBiasGradient") &
        result(status)
      import :: bsAxis_t, bsDataType_t, bsOptions_t, bsStatus_t, c_ptr
      type(bsOptions_t), value :: options
      type(c_ptr), intent(out) :: gradient
      integer(bsDataType_t), intent(out) :: type
      integer(bsAxis_t), intent(out) :: axis
      integer(bsStatus_t) :: status
    end function

    function bsSpMM_bufferSize(handle, opA, opB, alpha, A, B, beta, C, compute, options, bytes) bind(C, &
        name="bsSpMM_bufferSize") result(status)
      import :: bsDataType_t, bsHandle_t, bsMatDescr_t, bsOperation_t, bsOptions_t, bsStatus_t, c_int64_t, c_ptr
      type(bsHandle_t), value :: handle
      integer(bsOperation_t), value :: opA
      integer(bsOperation_t), value :: opB
      type(c_ptr), value :: alpha
      type(bsMatDescr_t), value :: A
      type(bsMatDescr_t), value :: B
      type(c_ptr), value :: beta
      type(bsMatDescr_t), value :: C
      integer(bsDataType_t), value :: compute
      type(bsOptions_t), value :: options
      integer(c_int64_t), intent(out) :: bytes
      integer(bsStatus_t) :: status
    end function

    function bsSpMM(handle, opA, opB, alpha, A, B, beta, C, compute, options, workspace, bytes) bind(C, &
        name="bsSpMM") result(status)
      import :: bsDataType_t, bsHandle_t, bsMatDescr_t, bsOperation_t, bsOptions_t, bsStatus_t, c_int64_t, c_ptr
      type(bsHandle_t), value :: handle
      integer(bsOperation_t), value :: opA
      integer(bsOperation_t), value :: opB
      type(c_ptr), value :: alpha
      type(bsMatDescr_t), value :: A
      type(bsMatDescr_t), value :: B
      type(c_ptr), value :: beta
      type(bsMatDescr_t), value :: C
      integer(bsDataType_t), value :: compute
      type(bsOptions_t), value :: options
      type(c_ptr), value :: workspace
      integer(c_int64_t), value :: bytes
      integer(bsStatus_t) :: status
    end function

    function bsSDDMM_bufferSize(handle, opA, opB, alpha, A, B, beta, C, compute, options, bytes) bind(C, &
        name="bsSDDMM_bufferSize") result(status)
      import :: bsDataType_t, bsHandle_t, bsMatDescr_t, bsOperation_t, bsOptions_t, bsStatus_t, c_int64_t, c_ptr
      type(bsHandle_t), value :: handle
      integer(bsOperation_t), value :: opA
      integer(bsOperation_t), value :: opB
      type(c_ptr), value :: alpha
      type(bsMatDescr_t), value :: A
      type(bsMatDescr_t), value :: B
      type(c_ptr), value :: beta
      type(bsMatDescr_t), value :: C
      integer(bsDataType_t), value :: compute
      type(bsOptions_t), value :: options
      integer(c_int64_t), intent(out) :: bytes
      integer(bsStatus_t) :: status
    end function

    function bsSDDMM(handle, opA, opB, alpha, A, B, beta, C, compute, options, workspace, bytes) bind(C, &
        name="bsSDDMM") result(status)
      import :: bsDataType_t, bsHandle_t, bsMatDescr_t, bsOperation_t, bsOptions_t, bsStatus_t, c_int64_t, c_ptr
      type(bsHandle_t), value :: handle
      integer(bsOperation_t), value :: opA
      integer(bsOperation_t), value :: opB
      type(c_ptr), value :: alpha
      type(bsMatDescr_t), value :: A
      type(bsMatDescr_t), value :: B
      type(c_ptr), value :: beta
      type(bsMatDescr_t), value :: C
      integer(bsDataType_t), value :: compute
      type(bsOptions_t), value :: options
      type(c_ptr), value :: workspace
      integer(c_int64_t), value :: bytes
      integer(bsStatus_t) :: status
    end function

    function bsSpMV_bufferSize(handle, opA, alpha, A, x, beta, y, compute, options, bytes) bind(C, &
        name="bsSpMV_bufferSize") result(status)
      import :: bsDataType_t, bsHandle_t, bsMatDescr_t, bsOperation_t, bsOptions_t, bsStatus_t, c_int64_t, c_ptr
      type(bsHandle_t), value :: handle
      integer(bsOperation_t), value :: opA
      type(c_ptr), value :: alpha
      type(bsMatDescr_t), value :: A
      type(bsMatDescr_t), value :: x
      type(c_ptr), value :: beta
      type(bsMatDescr_t), value :: y
      integer(bsDataType_t), value :: compute
      type(bsOptions_t), value :: options
      integer(c_int64_t), intent(out) :: bytes
      integer(bsStatus_t) :: status
    end function

    function bsSpMV(handle, opA, alpha, A, x, beta, y, compute, options, workspace, bytes) bind(C, name="bsSpMV") &
        result(status)
      import :: bsDataType_t, bsHandle_t, bsMatDescr_t, bsOperation_t, bsOptions_t, bsStatus_t, c_int64_t, c_ptr
      type(bsHandle_t), value :: handle
      integer(bsOperation_t), value :: opA
      type(c_ptr), value :: alpha
      type(bsMatDescr_t), value :: A
      type(bsMatDescr_t), value :: x
      type(c_ptr), value :: beta
      type(bsMatDescr_t), value :: y
      integer(bsDataType_t), value :: compute
      type(bsOptions_t), value :: options
      type(c_ptr), value :: workspace
      integer(c_int64_t), value :: bytes
      integer(bsStatus_t) :: status
    end function

    function bsBlockGateGrad(handle, W, dW, gradient, stride) bind(C, name="bsBlockGateGrad") result(status)
      import :: bsHandle_t, bsMatDescr_t, bsStatus_t, c_int64_t, c_ptr
      type(bsHandle_t), value :: handle
      type(bsMatDescr_t), value :: W
      type(bsMatDescr_t), value :: dW
      type(c_ptr), value :: gradient
      integer(c_int64_t), value :: stride
      integer(bsStatus_t) :: status
    end function

    function bsConvert_bufferSize(handle, op, source, destination, bytes) bind(C, name="bsConvert_bufferSize") &
        result(status)
      import :: bsHandle_t, bsMatDescr_t, bsOperation_t, bsStatus_t, c_int64_t
      type(bsHandle_t), value :: handle
      integer(bsOperation_t), value :: op
      type(bsMatDescr_t), value :: source
      type(bsMatDescr_t), value :: destination
      integer(c_int64_t), intent(out) :: bytes
      integer(bsStatus_t) :: status
    end function

    function bsConvert_count(handle, op, source, destination, workspace, bytes) bind(C, name="bsConvert_count") &
        result(status)
      import :: bsHandle_t, bsMatDescr_t, bsOperation_t, bsStatus_t, c_int64_t, c_ptr
      type(bsHandle_t), value :: handle
      integer(bsOperation_t), value :: op
      type(bsMatDescr_t), value :: source
      type(bsMatDescr_t), value :: destination
      type(c_ptr), value :: workspace
      integer(c_int64_t), value :: bytes
      integer(bsStatus_t) :: status
    end function

    function bsConvert_fill(handle, op, source, destination, workspace, bytes) bind(C, name="bsConvert_fill") &
        result(status)
      import :: bsHandle_t, bsMatDescr_t, bsOperation_t, bsStatus_t, c_int64_t, c_ptr
      type(bsHandle_t), value :: handle
      integer(bsOperation_t), value :: op
      type(bsMatDescr_t), value :: source
      type(bsMatDescr_t), value :: destination
      type(c_ptr), value :: workspace
      integer(c_int64_t), value :: bytes
      integer(bsStatus_t) :: status
    end function

    function bsSpMM_explain(handle, opA, opB, alpha, A, B, beta, C, compute, options, device, report) bind(C, &
        name="bsSpMM_explain") result(status)
      import :: bsDataType_t, bsHandle_t, bsMatDescr_t, bsOperation_t, bsOptions_t, bsReport_t, bsStatus_t, c_char, &
          c_ptr
      type(bsHandle_t), value :: handle
      integer(bsOperation_t), value :: opA
      integer(bsOperation_t), value :: opB
      type(c_ptr), value :: alpha
      type(bsMatDescr_t), value :: A
      type(bsMatDescr_t), value :: B
      type(c_ptr), value :: beta
      type(bsMatDescr_t), value :: C
      integer(bsDataType_t), value :: compute
      type(bsOptions_t), value :: options
      character(kind=c_char), intent(in), optional :: device(*)
      type(bsReport_t), intent(out) :: report
      integer(bsStatus_t) :: status
    end function

    function bsSDDMM_explain(handle, opA, opB, alpha, A, B, beta, C, compute, options, device, report) bind(C, &
        name="bsSDDMM_explain") result(status)
      import :: bsDataType_t, bsHandle_t, bsMatDescr_t, bsOperation_t, bsOptions_t, bsReport_t, bsStatus_t, c_char, &
          c_ptr
      type(bsHandle_t), value :: handle
      integer(bsOperation_t), value :: opA
      integer(bsOperation_t), value :: opB
      type(c_ptr), value :: alpha
      type(bsMatDescr_t), value :: A
      type(bsMatDescr_t), value :: B
      type(c_ptr), value :: beta
      type(bsMatDescr_t), value :: C
      integer(bsDataType_t), value :: compute
      type(bsOptions_t), value :: options
      character(kind=c_char), intent(in), optional :: device(*)
      type(bsReport_t), intent(out) :: report
      integer(bsStatus_t) :: status
    end function

    function bsDestroyReport(report) bind(C, name="bsDestroyReport") result(status)
      import :: bsReport_t, bsStatus_t
      type(bsReport_t), value :: report
      integer(bsStatus_t) :: status
    end function

    function bsReportGetCount(report, count) bind(C, name="bsReportGetCount") result(status)
      import :: bsReport_t, bsStatus_t, c_int64_t
      type(bsReport_t), value :: report
      integer(c_int64_t), intent(out) :: count
      integer(bsStatus_t) :: status
    end function

    function bsReportGet(report, index, key, data, size) bind(C, name="bsReportGet") result(status)
      import :: bsReportKey_t, bsReport_t, bsStatus_t, c_int64_t, c_ptr
      type(bsReport_t), value :: report
      integer(c_int64_t), value :: index
      integer(bsReportKey_t), value :: key
      type(c_ptr), value :: data
      integer(c_int64_t), value :: size
      integer(bsStatus_t) :: status
    end function

    function bsReportGetText(report, text) bind(C, name="bsReportGetText") result(status)
      import :: bsReport_t, bsStatus_t, c_ptr
      type(bsReport_t), value :: report
      type(c_ptr), intent(out) :: text
      integer(bsStatus_t) :: status
    end function
  end interface

  interface
    function bsStringLength(text) bind(C, name="strlen") result(length)
      import :: c_ptr, c_size_t
      type(c_ptr), value :: text
      integer(c_size_t) :: length
    end function
  end interface

contains

  ! A string of the library, copied: "" for NULL.
  function bsString(text) result(string)
    type(c_ptr), intent(in) :: text
    character(len=:), allocatable :: string
    character(kind=c_char), pointer :: characters(:)
    integer :: i
    if (.not. c_associated(text)) then
      string = ""
      return
    end if
    call c_f_pointer(text, characters, [bsStringLength(text)])
    allocate (character(len=size(characters)) :: string)
    do i = 1, size(characters)
      string(i:i) = characters(i)
    end do
  end function

  ! The sentence about the last failing call of this thread.
  function bsLastError() result(string)
    character(len=:), allocatable :: string
    string = bsString(bsGetLastErrorMessage())
  end function
end module
