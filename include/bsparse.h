/* libbsparse: sparse kernels for deep learning behind one C interface.
 *
 * This header is the manual. It needs C99 and the two headers below, nothing of CUDA.
 *
 * Conventions, true for every function unless its own text says otherwise
 *   Status       Every function that can fail returns bsStatus_t. A failing call leaves all outputs untouched (what
 *                creates an object, a report or memory sets its out-pointer to NULL) and stores a sentence for
 *                bsGetLastErrorMessage that names the function, the argument, its value and the limit. Nothing is
 *                printed, nothing throws, nothing aborts.
 *   Host/device  "Device memory" is memory of the handle's backend: GPU memory for CUDA, ordinary memory for the CPU
 *                backend. Descriptors, options, reports and every size written through a pointer live on the host.
 *   Order        A function marked (stream) only enqueues work on the handle's stream: it does not allocate, does not
 *                synchronise, and may be captured in a CUDA graph once its _bufferSize was called for the same problem.
 *                On the CPU backend the work is done when the call returns. All others return when they are done.
 *   Sizes        int64_t, counted in elements (of the named array) unless "bytes" is said.
 *   Null         Pointer arguments must not be NULL unless marked nullable; matrix arrays: see section 4.
 *   Lifetime     A descriptor borrows the arrays it was given; it never copies or frees them.
 *   Const        bsConstMatDescr_t says that a call leaves the descriptor alone, const void* that the arrays are not
 *                written. A descriptor knows which of its arrays were given as const (section 4) and is refused where
 *                those would be written.
 *   Threads      Objects are not locked. Several threads may use different handles at the same time and may share a
 *                descriptor or options object as long as no call changes it (functions taking the bsConst form do not).
 *   Alignment    Arrays need the alignment of their element type and no more. Workspaces and analysis buffers must be
 *                aligned to BSPARSE_WORKSPACE_ALIGNMENT bytes.
 */
#ifndef BSPARSE_H
#define BSPARSE_H

#include <stddef.h>
#include <stdint.h>

#define BSPARSE_VERSION_MAJOR 0
#define BSPARSE_VERSION_MINOR 1
#define BSPARSE_VERSION_PATCH 0
/* Comparable form, as bsGetVersion reports it: 10000 * major + 100 * minor + patch. */
#define BSPARSE_VERSION (BSPARSE_VERSION_MAJOR * 10000 + BSPARSE_VERSION_MINOR * 100 + BSPARSE_VERSION_PATCH)

#define BSPARSE_WORKSPACE_ALIGNMENT 256

#if defined(__GNUC__)
#define BS_API __attribute__((visibility("default")))
#else
#define BS_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------------------------------------------------------------------
 * 1. Types and constants
 *
 * Enumerations are fixed-width integers with written values; a value is never reused or renumbered. Data types, index
 * types, operations and orders have the numbers of cudaDataType and cuSPARSE where the meaning is the same.
 * ---------------------------------------------------------------------------------------------------------------- */

typedef struct bsContext* bsHandle_t;             /* device, stream, pointer mode, log sink, choice cache */
typedef struct bsMatrix* bsMatDescr_t;            /* any matrix: dense, CSR, CSC, COO or BSR */
typedef const struct bsMatrix* bsConstMatDescr_t; /* the same, not changed by the call */
typedef struct bsOptionSet* bsOptions_t;          /* optional settings of one call */
typedef const struct bsOptionSet* bsConstOptions_t;
typedef struct bsReportData* bsReport_t; /* answer of an explain function */
typedef struct CUstream_st* bsStream_t;  /* the same type as cudaStream_t and CUstream */

typedef int32_t bsStatus_t;
enum {
  BS_STATUS_SUCCESS = 0,
  BS_STATUS_INVALID_HANDLE = 10,         /* NULL, or not an object of the expected kind */
  BS_STATUS_INVALID_POINTER = 11,        /* NULL, misaligned or read-only where that is not allowed */
  BS_STATUS_INVALID_SIZE = 12,           /* negative, too large for its index type, or ld too small */
  BS_STATUS_INVALID_VALUE = 13,          /* not a member of its enumeration, unknown name */
  BS_STATUS_INVALID_TYPE = 14,           /* not a bsDataType_t, or data types that do not go together */
  BS_STATUS_INVALID_SHAPE = 15,          /* sizes of the operands do not match; wrong format for this argument */
  BS_STATUS_INVALID_ALIAS = 16,          /* an output overlaps an input or the workspace */
  BS_STATUS_INVALID_POINTER_MODE = 17,   /* a scalar lies on the wrong side for the pointer mode */
  BS_STATUS_INSUFFICIENT_WORKSPACE = 20, /* fewer bytes than the cheapest usable route needs */
  BS_STATUS_STALE_ANALYSIS = 21,  /* values changed after BS_ANALYZE_PACK and bsMatValuesChanged was not called */
  BS_STATUS_INVALID_CONTENT = 22, /* an offset or index inside an array is out of range */
  BS_STATUS_NOT_SUPPORTED = 30,   /* legal, but no route does it; the message has the nearest route's reason */
  BS_STATUS_ARCH_MISMATCH = 31,   /* no code for this device in the library */
  BS_STATUS_ALLOC_FAILED = 40,
  BS_STATUS_CUDA_ERROR = 50,         /* this call caused it */
  BS_STATUS_EARLIER_CUDA_ERROR = 51, /* the context was already in error when the call began */
  BS_STATUS_MISSING_LIBRARY = 52,    /* libcuda, cuBLASLt or cuSPARSE could not be opened */
  BS_STATUS_IO_ERROR = 60,
  BS_STATUS_INTERNAL_ERROR = 90
};

typedef int32_t bsBackend_t;
enum { BS_BACKEND_CPU = 1, BS_BACKEND_CUDA = 2 };

typedef int32_t bsDataType_t; /* numbered as cudaDataType */
enum { BS_R_32F = 0, BS_R_64F = 1, BS_R_16F = 2, BS_R_16BF = 14 };

typedef int32_t bsIndexType_t;
enum { BS_INDEX_32I = 2, BS_INDEX_64I = 3 };

typedef int32_t bsIndexBase_t;
enum { BS_INDEX_BASE_ZERO = 0, BS_INDEX_BASE_ONE = 1 };

typedef int32_t bsOperation_t; /* for real types C is T, for the life of the library */
enum { BS_OPERATION_NON_TRANSPOSE = 0, BS_OPERATION_TRANSPOSE = 1, BS_OPERATION_CONJUGATE_TRANSPOSE = 2 };

typedef int32_t bsOrder_t;
enum { BS_ORDER_COL = 1, BS_ORDER_ROW = 2 };

typedef int32_t bsFormat_t;
enum { BS_FORMAT_CSR = 1, BS_FORMAT_CSC = 2, BS_FORMAT_COO = 3, BS_FORMAT_BSR = 6, BS_FORMAT_DENSE = 100 };

typedef int32_t bsPointerMode_t;
enum { BS_POINTER_MODE_HOST = 0, BS_POINTER_MODE_DEVICE = 1 };

typedef int32_t bsAnalyzeFlags_t; /* a sum of */
enum {
  BS_ANALYZE_STATS = 1,     /* pattern statistics, for the choice and bsMatGetStat; synchronises once */
  BS_ANALYZE_ORDER = 2,     /* rows ordered by length, for load balance */
  BS_ANALYZE_TRANSPOSE = 4, /* index of the transpose, no values: products with op T need no workspace for it */
  BS_ANALYZE_PACK = 8       /* declares the values static and stores them in the form the fastest routes read */
};

typedef int32_t bsStat_t; /* all are averages over the batch where batches differ */
enum {
  BS_STAT_NNZ = 1,             /* entries the offsets refer to (blocks for BSR) */
  BS_STAT_DENSITY = 2,         /* stored elements / (rows * cols); blocks count whole */
  BS_STAT_ROW_LENGTH_MEAN = 3, /* rows are block rows for BSR, columns for CSC; lengths are in entries */
  BS_STAT_ROW_LENGTH_STDDEV = 4,
  BS_STAT_ROW_LENGTH_MIN = 5,
  BS_STAT_ROW_LENGTH_MEDIAN = 6,
  BS_STAT_ROW_LENGTH_P95 = 7,
  BS_STAT_ROW_LENGTH_MAX = 8,
  BS_STAT_EMPTY_ROWS = 9,
  BS_STAT_EMPTY_COLS = 10,  /* block columns for BSR, rows for CSC */
  BS_STAT_SORTED = 11,      /* 1 if indices ascend in every row, else 0 */
  BS_STAT_OCCUPANCY_8 = 12, /* share of 8 x 8 tiles with an entry (for BSR of stored blocks) */
  BS_STAT_OCCUPANCY_16 = 13,
  BS_STAT_OCCUPANCY_32 = 14,
  BS_STAT_OCCUPANCY_64 = 15
};

typedef int32_t bsContent_t; /* what bsMatCheck found first; those up to 9 are errors, those above are legal */
enum {
  BS_CONTENT_OK = 0,
  BS_CONTENT_OFFSET_RANGE = 1,      /* an offset below the base or beyond nnz + base */
  BS_CONTENT_OFFSET_DECREASING = 2, /* an offset smaller than the one before */
  BS_CONTENT_INDEX_RANGE = 3,       /* a row or column index outside the matrix */
  BS_CONTENT_UNSORTED = 10,         /* indices of a row do not ascend: legal, right everywhere */
  BS_CONTENT_DUPLICATE = 11         /* an index twice in a row: legal, the entries add */
};

typedef int32_t bsOption_t;
enum {
  BS_OPTION_STRICT = 1,        /* 0 or 1: only routes in which NaN and Inf of a part of B or A that the pattern never
                                  refers to reach no output */
  BS_OPTION_DETERMINISTIC = 2, /* 0 or 1: only routes whose result repeats bit for bit on the same device */
  BS_OPTION_ALLOW_TF32 = 3,    /* 0 or 1: f32 products may be rounded to TF32 on tensor cores */
  BS_OPTION_ACTIVATION = 4     /* a bsActivation_t */
};

typedef int32_t bsActivation_t;
enum {
  BS_ACTIVATION_NONE = 0,
  BS_ACTIVATION_RELU = 1,      /* x > 0 or NaN: x, else 0 */
  BS_ACTIVATION_GELU_ERF = 2,  /* x/2 (1 + erf(x / sqrt 2)) */
  BS_ACTIVATION_GELU_TANH = 3, /* x/2 (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3))) */
  BS_ACTIVATION_SILU = 4       /* x / (1 + exp(-x)) */
};

typedef int32_t bsAxis_t; /* which index of the result a vector runs along */
enum { BS_AXIS_ROW = 1, /* one value a row */ BS_AXIS_COL = 2 /* one value a column */ };

typedef int32_t bsReportKey_t; /* with the type that bsReportGet writes */
enum {
  BS_REPORT_ROUTE = 1,         /* const char*: "cpu/spmm_csr_rowsplit" */
  BS_REPORT_ACCEPTED = 2,      /* int32_t */
  BS_REPORT_REASON = 3,        /* const char*: why refused; "" if accepted */
  BS_REPORT_MICROSECONDS = 4,  /* double: predicted time */
  BS_REPORT_WORKSPACE = 5,     /* int64_t: bytes */
  BS_REPORT_DETERMINISTIC = 6, /* int32_t */
  BS_REPORT_ISOLATES = 7,      /* int32_t: admitted by BS_OPTION_STRICT */
  BS_REPORT_CHOSEN = 8         /* int32_t: 1 for the route that a call would take */
};

/* Receives one line of the log, without a newline. It may not call the library; `line` is valid during the call. */
typedef void (*bsLogCallback_t)(void* user, const char* line);

/* ------------------------------------------------------------------------------------------------------------------
 * 2. Lifecycle
 * ---------------------------------------------------------------------------------------------------------------- */

/* Creates a handle on the GPU that is current for the calling thread if the library has CUDA and a GPU exists, else on
 * the CPU. The environment is read here and nowhere else: BSPARSE_BACKEND (cpu, cuda), BSPARSE_NUM_THREADS (see
 * bsSetNumThreads; else OMP_NUM_THREADS, else all cores), BSPARSE_MAX_ISA (base, avx2, avx512), BSPARSE_LOG (select:
 * one line a choice), BSPARSE_LOG_FILE (default: standard error). Cheap; meant to be made once per thread.
 * INVALID_POINTER, INVALID_VALUE (environment), ALLOC_FAILED, CUDA_ERROR, ARCH_MISMATCH. */
BS_API bsStatus_t bsCreate(bsHandle_t* handle);

/* The same on a named backend. `device` is the CUDA ordinal, 0 for the CPU. The caller's current device is kept.
 * Also INVALID_VALUE (backend), INVALID_SIZE (device), NOT_SUPPORTED (backend not compiled in), MISSING_LIBRARY (no
 * driver). */
BS_API bsStatus_t bsCreateOn(bsHandle_t* handle, bsBackend_t backend, int32_t device);

/* Work already enqueued is not waited for and stays valid. */
BS_API bsStatus_t bsDestroy(bsHandle_t handle /* nullable */);

/* The stream for all later (stream) calls; NULL is the default stream. Ignored by the CPU backend. */
BS_API bsStatus_t bsSetStream(bsHandle_t handle, bsStream_t stream /* nullable */);
BS_API bsStatus_t bsGetStream(bsHandle_t handle, bsStream_t* stream);

/* Where alpha and beta of later calls live: in host memory, read before the call returns (the default), or in device
 * memory, read in stream order. */
BS_API bsStatus_t bsSetPointerMode(bsHandle_t handle, bsPointerMode_t mode);
BS_API bsStatus_t bsGetPointerMode(bsHandle_t handle, bsPointerMode_t* mode);

/* The CPU threads, 1 to 1024, of all later calls, the caller's among them. Handles of equal number share threads, so
 * changing it is cheap if another handle has that number and starts threads otherwise. What a route computes does not
 * depend on it. Ignored by the CUDA backend, where bsGetNumThreads gives 0. INVALID_SIZE, ALLOC_FAILED. */
BS_API bsStatus_t bsSetNumThreads(bsHandle_t handle, int32_t threads);
BS_API bsStatus_t bsGetNumThreads(bsHandle_t handle, int32_t* threads);

/* Where the handle is: backend, CUDA ordinal (0 for the CPU), and a name for people, which belongs to the handle. */
BS_API bsStatus_t bsGetBackend(bsHandle_t handle, bsBackend_t* backend);
BS_API bsStatus_t bsGetDevice(bsHandle_t handle, int32_t* device);
BS_API bsStatus_t bsGetDeviceName(bsHandle_t handle, const char** name);

/* One line a choice of the engine goes to `callback` instead of BSPARSE_LOG_FILE:
 * "bsparse,v1,select,ROUTE,MICROSECONDS,ARGUMENTS". NULL stops it. The callback runs on the thread of the call that is
 * logged. */
BS_API bsStatus_t bsSetLogCallback(bsHandle_t handle, bsLogCallback_t callback /* nullable */,
                                   void* user /* nullable */);

/* BSPARSE_VERSION of the loaded library. */
BS_API bsStatus_t bsGetVersion(int32_t* version);

/* Whether the library as built can do something, so that no table of versions is needed: "cpu", "cuda",
 * "OP.FORMAT.TYPE" or "OP.FORMAT.TYPE.t" (sparse operand transposed) with OP spmm, spmv or sddmm, FORMAT csr, csc or
 * bsr, TYPE f64, f32, f16 or bf16; prefix "cpu." or "cuda." for one backend. *supported becomes 0 or 1. INVALID_VALUE:
 * not such a name. */
BS_API bsStatus_t bsHasFeature(const char* feature, int32_t* supported);

/* "BS_STATUS_INVALID_SIZE" and one sentence about it; never NULL, also for unknown numbers. Static storage. */
BS_API const char* bsStatusName(bsStatus_t status);
BS_API const char* bsStatusString(bsStatus_t status);

/* What was wrong with the last failing call of this thread: "bsCreateCsr: rows is -1, must be >= 0". "" if none failed.
 * Valid until the thread's next failing call. Successful calls leave it alone. */
BS_API const char* bsGetLastErrorMessage(void);

/* ------------------------------------------------------------------------------------------------------------------
 * 3. Memory, for programs without CUDA code of their own
 * ---------------------------------------------------------------------------------------------------------------- */

/* Device memory, aligned to 256 bytes, contents undefined. bytes = 0 gives NULL. INVALID_SIZE, ALLOC_FAILED. */
BS_API bsStatus_t bsMalloc(bsHandle_t handle, void** pointer, int64_t bytes);
/* Waits for work that may still use the memory. */
BS_API bsStatus_t bsFree(bsHandle_t handle, void* pointer /* nullable */);
/* Copies between any of host and device memory, after the work on the handle's stream; returns when done.
 * The ranges must not overlap. bytes = 0 does nothing. */
BS_API bsStatus_t bsMemcpy(bsHandle_t handle, void* destination /* nullable if bytes is 0 */,
                           const void* source /* nullable if bytes is 0 */, int64_t bytes);
/* Waits for the handle's stream and reports its errors. */
BS_API bsStatus_t bsSynchronize(bsHandle_t handle);

/* ------------------------------------------------------------------------------------------------------------------
 * 4. Matrices
 *
 * Arrays are device memory and may be NULL where they have no elements, and until a call reads them (sizes and choices
 * can be asked for before data exists). Index arrays hold values counted from `base`. Columns inside a row may be in
 * any order; equal ones add. nnz is the number of entries the index array can hold: offsets lie in [base, base + nnz],
 * entry p (counted from 0) is used by the row i with offsets[i] - base <= p < offsets[i+1] - base, so the first offset
 * need not be base and capacity beyond the last offset is ignored.
 * The library writes the values of a result, and the offsets and indices of the destination of bsConvert; nothing else.
 * Arrays given as const (bsCreateConst, bsMatSetConst) are read-only: a call that would write them, or hand them out by
 * bsMatGetPointers, gives INVALID_POINTER. Everything else, analysis, batches and gates too, is as for other matrices.
 * A matrix with a structure of const and values to be written: bsCreateConst, then bsMatSetValues.
 * Creation: INVALID_POINTER, INVALID_SIZE (negative; ld too small; a size its index type cannot hold), INVALID_VALUE,
 * INVALID_TYPE (value type), ALLOC_FAILED.
 * ---------------------------------------------------------------------------------------------------------------- */

/* Element (i, j) at values[i * ld + j] for BS_ORDER_ROW (ld >= max(cols, 1)), values[i + j * ld] for BS_ORDER_COL
 * (ld >= max(rows, 1)). The array ends with its last element: elements between extent and ld are never touched. */
BS_API bsStatus_t bsCreateDense(bsMatDescr_t* mat, int64_t rows, int64_t cols, int64_t ld, void* values,
                                bsDataType_t valueType, bsOrder_t order);

/* rowOffsets[rows + 1] of offsetType; colIndices[nnz] of indexType; values[nnz]. */
BS_API bsStatus_t bsCreateCsr(bsMatDescr_t* mat, int64_t rows, int64_t cols, int64_t nnz, void* rowOffsets,
                              void* colIndices, void* values, bsIndexType_t offsetType, bsIndexType_t indexType,
                              bsIndexBase_t base, bsDataType_t valueType);

/* colOffsets[cols + 1]; rowIndices[nnz]; values[nnz]: the CSR form of the transpose. */
BS_API bsStatus_t bsCreateCsc(bsMatDescr_t* mat, int64_t rows, int64_t cols, int64_t nnz, void* colOffsets,
                              void* rowIndices, void* values, bsIndexType_t offsetType, bsIndexType_t indexType,
                              bsIndexBase_t base, bsDataType_t valueType);

/* rowIndices[nnz], colIndices[nnz], values[nnz], in any order. For bsConvert and bsMatCheck; products take CSR. */
BS_API bsStatus_t bsCreateCoo(bsMatDescr_t* mat, int64_t rows, int64_t cols, int64_t nnz, void* rowIndices,
                              void* colIndices, void* values, bsIndexType_t indexType, bsIndexBase_t base,
                              bsDataType_t valueType);

/* Blocks of rowBlockSize x colBlockSize (each 1 to 65536). rows and cols count elements, not blocks (unlike
 * cusparseCreateBsr) and need not be multiples: with R = ceil(rows / rowBlockSize), rowOffsets[R + 1]; colIndices[nnzb]
 * are block columns; values[nnzb * rowBlockSize * colBlockSize], block after block, each stored whole in blockOrder.
 * Padding of the last block row and column is ignored on read and written as zero. */
BS_API bsStatus_t bsCreateBsr(bsMatDescr_t* mat, int64_t rows, int64_t cols, int64_t nnzb, int64_t rowBlockSize,
                              int64_t colBlockSize, void* rowOffsets, void* colIndices, void* values,
                              bsIndexType_t offsetType, bsIndexType_t indexType, bsIndexBase_t base,
                              bsDataType_t valueType, bsOrder_t blockOrder);

/* The same over arrays of const. */
BS_API bsStatus_t bsCreateConstDense(bsMatDescr_t* mat, int64_t rows, int64_t cols, int64_t ld, const void* values,
                                     bsDataType_t valueType, bsOrder_t order);
BS_API bsStatus_t bsCreateConstCsr(bsMatDescr_t* mat, int64_t rows, int64_t cols, int64_t nnz, const void* rowOffsets,
                                   const void* colIndices, const void* values, bsIndexType_t offsetType,
                                   bsIndexType_t indexType, bsIndexBase_t base, bsDataType_t valueType);
BS_API bsStatus_t bsCreateConstCsc(bsMatDescr_t* mat, int64_t rows, int64_t cols, int64_t nnz, const void* colOffsets,
                                   const void* rowIndices, const void* values, bsIndexType_t offsetType,
                                   bsIndexType_t indexType, bsIndexBase_t base, bsDataType_t valueType);
BS_API bsStatus_t bsCreateConstCoo(bsMatDescr_t* mat, int64_t rows, int64_t cols, int64_t nnz, const void* rowIndices,
                                   const void* colIndices, const void* values, bsIndexType_t indexType,
                                   bsIndexBase_t base, bsDataType_t valueType);
BS_API bsStatus_t bsCreateConstBsr(bsMatDescr_t* mat, int64_t rows, int64_t cols, int64_t nnzb, int64_t rowBlockSize,
                                   int64_t colBlockSize, const void* rowOffsets, const void* colIndices,
                                   const void* values, bsIndexType_t offsetType, bsIndexType_t indexType,
                                   bsIndexBase_t base, bsDataType_t valueType, bsOrder_t blockOrder);

/* Calls already made with the descriptor stay valid. */
BS_API bsStatus_t bsDestroyMat(bsConstMatDescr_t mat /* nullable */);

/* What the descriptor was given. Getters of one format give INVALID_SHAPE on another. */
BS_API bsStatus_t bsMatGetFormat(bsConstMatDescr_t mat, bsFormat_t* format /* nullable */);
/* nnz: entries, blocks for BSR, rows * cols for dense. */
BS_API bsStatus_t bsMatGetSize(bsConstMatDescr_t mat, int64_t* rows /* nullable */, int64_t* cols /* nullable */,
                               int64_t* nnz /* nullable */);
/* The type of the elements. */
BS_API bsStatus_t bsMatGetValueType(bsConstMatDescr_t mat, bsDataType_t* valueType /* nullable */);
/* Dense: only values (others NULL). COO: offsets are the row indices, indices the column indices. Those asked for must
 * not be read-only in the first form. */
BS_API bsStatus_t bsMatGetPointers(bsMatDescr_t mat, void** offsets /* nullable */, void** indices /* nullable */,
                                   void** values /* nullable */);
BS_API bsStatus_t bsMatGetConstPointers(bsConstMatDescr_t mat, const void** offsets /* nullable */,
                                        const void** indices /* nullable */, const void** values /* nullable */);
/* Dense matrices only. */
BS_API bsStatus_t bsMatGetDense(bsConstMatDescr_t mat, int64_t* ld /* nullable */, bsOrder_t* order /* nullable */);
/* Sparse matrices only; in COO both types are indexType. */
BS_API bsStatus_t bsMatGetIndexing(bsConstMatDescr_t mat, bsIndexType_t* offsetType /* nullable */,
                                   bsIndexType_t* indexType /* nullable */, bsIndexBase_t* base /* nullable */);
/* BSR only. */
BS_API bsStatus_t bsMatGetBlocks(bsConstMatDescr_t mat, int64_t* rowBlockSize /* nullable */,
                                 int64_t* colBlockSize /* nullable */, bsOrder_t* blockOrder /* nullable */);
/* What bsMatSetBatch was given; count 1 and strides 0 without it. */
BS_API bsStatus_t bsMatGetBatch(bsConstMatDescr_t mat, int64_t* count /* nullable */,
                                int64_t* valueStride /* nullable */, int64_t* offsetStride /* nullable */,
                                int64_t* indexStride /* nullable */);
/* BSR only; NULL and 0 if there is no gate. */
BS_API bsStatus_t bsMatGetGate(bsConstMatDescr_t mat, const float** gate /* nullable */,
                               int64_t* stride /* nullable */);
/* The flags of the analysis in force; 0 if there is none. */
BS_API bsStatus_t bsMatGetAnalysis(bsConstMatDescr_t mat, bsAnalyzeFlags_t* flags /* nullable */);

/* Replaces all arrays, in the roles of bsMatGetPointers (unused ones must be NULL), and drops the analysis. */
BS_API bsStatus_t bsMatSetPointers(bsMatDescr_t mat, void* offsets, void* indices, void* values);
BS_API bsStatus_t bsMatSetConstPointers(bsMatDescr_t mat, const void* offsets, const void* indices, const void* values);
/* Replaces the values alone; analysis of the structure stays in force, BS_ANALYZE_PACK needs bsMatValuesChanged. */
BS_API bsStatus_t bsMatSetValues(bsMatDescr_t mat, void* values);
BS_API bsStatus_t bsMatSetConstValues(bsMatDescr_t mat, const void* values);

/* Makes the descriptor a batch of `count` >= 0 matrices of the same sizes; strides in elements, >= 0, 0 for dense where
 * they do not apply. Batch b reads offsets at b * offsetStride and entry p at indices[b * indexStride + p] and
 * values[b * valueStride + p] (for BSR p counts blocks and valueStride elements). Stride 0 shares the array. Offsets of
 * their own (offsetStride > 0) that count through one common index array (indexStride and valueStride 0) give batches
 * with unequal entry counts. As an input count 1 is broadcast. An output of count 1 with inputs of count n receives the
 * sum over the batch, in order; any other output needs valueStride at least its extent (else the call that writes it
 * gives INVALID_SHAPE). Not for COO. Drops the analysis. */
BS_API bsStatus_t bsMatSetBatch(bsMatDescr_t mat, int64_t count, int64_t valueStride, int64_t offsetStride,
                                int64_t indexStride);

/* gate[b * stride + p] multiplies block p of batch b wherever the matrix is read; exactly 0 skips the block, whose
 * values are then not read. As the output of bsSDDMM it multiplies the product. BSR only; NULL removes it. Device
 * memory. Packed values (BS_ANALYZE_PACK) contain the gates: call bsMatValuesChanged after this. */
BS_API bsStatus_t bsMatSetGate(bsMatDescr_t mat, const float* gate /* nullable */, int64_t stride);

/* Analysis: what products can reuse as long as the structure stays. `flags` is a sum of bsAnalyzeFlags_t; the results
 * lie in `buffer` (device memory of the size asked for) and in the descriptor, and are used by every later call with
 * it; the buffer must outlive them. A new call replaces the old analysis, flags 0 only drops it. Without STATS it is
 * (stream).
 * INVALID_SHAPE: dense or COO. INVALID_CONTENT is not looked for: see bsMatCheck. */
BS_API bsStatus_t bsMatAnalyze_bufferSize(bsHandle_t handle, bsConstMatDescr_t mat, bsAnalyzeFlags_t flags,
                                          int64_t* bytes);
BS_API bsStatus_t bsMatAnalyze(bsHandle_t handle, bsMatDescr_t mat, bsAnalyzeFlags_t flags,
                               void* buffer /* nullable if bytes is 0 */, int64_t bytes);
/* Offsets or indices were changed in place: drops the analysis. */
BS_API bsStatus_t bsMatStructureChanged(bsMatDescr_t mat);
/* Values were changed in place: packs them anew if BS_ANALYZE_PACK is in force. (stream) A result that the library
 * writes into a packed matrix makes the packing stale: using it before this call gives STALE_ANALYSIS. */
BS_API bsStatus_t bsMatValuesChanged(bsHandle_t handle, bsMatDescr_t mat);

/* One statistic of the analysis. INVALID_VALUE: no such statistic. STALE_ANALYSIS: no analysis with STATS in force. */
BS_API bsStatus_t bsMatGetStat(bsConstMatDescr_t mat, bsStat_t stat, double* value);

/* Validates the contents of the arrays. *finding becomes the first of bsContent_t that applies, errors in the order of
 * their numbers, then DUPLICATE (looked for in unsorted rows too), then UNSORTED; *position becomes where it is first:
 * the entry, counted from 0 over the index array, or for offsets the row. Errors give INVALID_CONTENT and a message
 * such as "row 17: column 9001 >= cols 4096"; UNSORTED and DUPLICATE are legal and give SUCCESS. In COO an entry is
 * unsorted if its (row, column) comes before that of the entry ahead of it. Allocates temporary memory. */
BS_API bsStatus_t bsMatCheck(bsHandle_t handle, bsConstMatDescr_t mat, bsContent_t* finding /* nullable */,
                             int64_t* position /* nullable */);

/* ------------------------------------------------------------------------------------------------------------------
 * 5. Options of one call. A NULL options argument means all defaults. Setting copies strings, borrows arrays.
 * An option that an operation does not have gives NOT_SUPPORTED at the call.
 * ---------------------------------------------------------------------------------------------------------------- */

/* Options with nothing set. */
BS_API bsStatus_t bsCreateOptions(bsOptions_t* options);
/* Calls already made with the options stay valid. */
BS_API bsStatus_t bsDestroyOptions(bsOptions_t options /* nullable */);
/* One of bsOption_t; unset ones are 0. INVALID_VALUE: no such option, or not one of its values. */
BS_API bsStatus_t bsOptionsSetInt(bsOptions_t options, bsOption_t option, int64_t value);
BS_API bsStatus_t bsOptionsGetInt(bsConstOptions_t options, bsOption_t option, int64_t* value);

/* Only this route, by the name that explain gives; NULL: the engine chooses. Route names are not part of the ABI. An
 * unknown name gives INVALID_VALUE here; a route that refuses the problem gives NOT_SUPPORTED with its reason at the
 * call. */
BS_API bsStatus_t bsOptionsSetRoute(bsOptions_t options, const char* route /* nullable */);
/* *route becomes NULL if none is set; it belongs to the options. */
BS_API bsStatus_t bsOptionsGetRoute(bsConstOptions_t options, const char** route);

/* bias[b * stride + i] (AXIS_ROW) or [b * stride + j] (AXIS_COL) is added to C(i, j) of batch b before the activation.
 * Device memory, of C's type or f32 (f64 where C is f64). bsSpMM and bsSpMV only. NULL removes it. */
BS_API bsStatus_t bsOptionsSetBias(bsOptions_t options, const void* bias /* nullable */, bsDataType_t type,
                                   bsAxis_t axis, int64_t stride);
BS_API bsStatus_t bsOptionsGetBias(bsConstOptions_t options, const void** bias, bsDataType_t* type, bsAxis_t* axis,
                                   int64_t* stride);

/* A dense matrix of C's shape, type, order and batch that receives the value before the activation, for the backward
 * pass. Must not overlap any other operand. bsSpMM and bsSpMV only. NULL removes it; the descriptor is borrowed. */
BS_API bsStatus_t bsOptionsSetAuxiliary(bsOptions_t options, bsMatDescr_t auxiliary /* nullable */);
BS_API bsStatus_t bsOptionsGetAuxiliary(bsConstOptions_t options, bsMatDescr_t* auxiliary);

/* bsSDDMM only: beside C, gradient[i] = sum over the inner index (and over the batch where C sums it) of op(A)(i, k)
 * (AXIS_ROW), or gradient[j] of op(B)(k, j) (AXIS_COL): the bias gradient that belongs to a weight gradient. Device
 * memory, C's type or f32 (f64 where C is f64), overwritten, batch after batch without gaps. It does not depend on
 * alpha: the operand it sums is read for it even where alpha is 0. NULL removes it. */
BS_API bsStatus_t bsOptionsSetBiasGradient(bsOptions_t options, void* gradient /* nullable */, bsDataType_t type,
                                           bsAxis_t axis);
BS_API bsStatus_t bsOptionsGetBiasGradient(bsConstOptions_t options, void** gradient, bsDataType_t* type,
                                           bsAxis_t* axis);

/* ------------------------------------------------------------------------------------------------------------------
 * 6. Operations
 *
 * The same for every route of every operation:
 *   - beta = 0: the old content of C is not read (NaN in it does not survive). alpha = 0: A and B are not read.
 *   - Sums are formed in `compute` or wider and rounded once into C's type. compute is BS_R_64F if all matrices are
 *     f64, else BS_R_32F (no matrix may then be f64); alpha and beta have this type. f32 is f32: no TF32 unless
 *     allowed.
 *   - Stored zeros are values: 0 * NaN is NaN. What the pattern does not store meets nothing (see BS_OPTION_STRICT).
 *   - Empty is legal: 0 rows, columns, entries, batches. An inner extent of 0 gives C = beta C.
 *   - The same call on the same device by the same route gives the same bits, whatever the number of CPU threads,
 *     unless the route says otherwise (BS_REPORT_DETERMINISTIC).
 *   - C overlaps no other operand. Dense operands with equal ld and order may interleave in one array; other
 *     overlapping ranges are refused.
 *   - workspace is device memory of at least the bytes that _bufferSize gave for the same arguments (nullable if 0).
 *     _bufferSize reads no array, so pointers in descriptors may still be NULL, and it holds for any alignment. With
 *     fewer bytes only routes that fit are considered; if none does: INSUFFICIENT_WORKSPACE.
 * Statuses: INVALID_HANDLE, INVALID_POINTER, INVALID_SIZE, INVALID_VALUE, INVALID_TYPE, INVALID_SHAPE, INVALID_ALIAS,
 * INVALID_POINTER_MODE, INSUFFICIENT_WORKSPACE, STALE_ANALYSIS, NOT_SUPPORTED, CUDA_ERROR, EARLIER_CUDA_ERROR.
 * ---------------------------------------------------------------------------------------------------------------- */

/* C = act(alpha op(A) op(B) + beta C + bias). Exactly one of A and B is sparse (CSR, CSC, BSR); the other and C are
 * dense. op(A) is m x k, op(B) k x n, C m x n. (stream) */
BS_API bsStatus_t bsSpMM_bufferSize(bsHandle_t handle, bsOperation_t opA, bsOperation_t opB, const void* alpha,
                                    bsConstMatDescr_t A, bsConstMatDescr_t B, const void* beta, bsConstMatDescr_t C,
                                    bsDataType_t compute, bsConstOptions_t options /* nullable */, int64_t* bytes);
BS_API bsStatus_t bsSpMM(bsHandle_t handle, bsOperation_t opA, bsOperation_t opB, const void* alpha,
                         bsConstMatDescr_t A, bsConstMatDescr_t B, const void* beta, bsMatDescr_t C,
                         bsDataType_t compute, bsConstOptions_t options /* nullable */,
                         void* workspace /* nullable if bytes is 0 */, int64_t bytes);

/* C = alpha (op(A) op(B)) sampled at the structure of C + beta C. A and B dense, C sparse (CSR, CSC, BSR); every stored
 * element, duplicates included, receives its full product. op(A) is m x k, op(B) k x n, C m x n. (stream) */
BS_API bsStatus_t bsSDDMM_bufferSize(bsHandle_t handle, bsOperation_t opA, bsOperation_t opB, const void* alpha,
                                     bsConstMatDescr_t A, bsConstMatDescr_t B, const void* beta, bsConstMatDescr_t C,
                                     bsDataType_t compute, bsConstOptions_t options /* nullable */, int64_t* bytes);
BS_API bsStatus_t bsSDDMM(bsHandle_t handle, bsOperation_t opA, bsOperation_t opB, const void* alpha,
                          bsConstMatDescr_t A, bsConstMatDescr_t B, const void* beta, bsMatDescr_t C,
                          bsDataType_t compute, bsConstOptions_t options /* nullable */,
                          void* workspace /* nullable if bytes is 0 */, int64_t bytes);

/* y = act(alpha op(A) x + beta y + bias): bsSpMM with one column. A sparse, m x k after op; x is dense k x 1, y m x 1,
 * so a vector with stride s is a BS_ORDER_ROW matrix with ld = s. (stream) */
BS_API bsStatus_t bsSpMV_bufferSize(bsHandle_t handle, bsOperation_t opA, const void* alpha, bsConstMatDescr_t A,
                                    bsConstMatDescr_t x, const void* beta, bsConstMatDescr_t y, bsDataType_t compute,
                                    bsConstOptions_t options /* nullable */, int64_t* bytes);
BS_API bsStatus_t bsSpMV(bsHandle_t handle, bsOperation_t opA, const void* alpha, bsConstMatDescr_t A,
                         bsConstMatDescr_t x, const void* beta, bsMatDescr_t y, bsDataType_t compute,
                         bsConstOptions_t options /* nullable */, void* workspace /* nullable if bytes is 0 */,
                         int64_t bytes);

/* gradient[b * stride + p] = sum over the elements of block p of W * dW, without W's gate: the gradient of the gates
 * when dW is the gradient of the gated weights. W and dW are BSR of equal sizes, blocks, block order, nnz and batch
 * count and share one structure, which is not read for the full blocks but tells which blocks are cut by the edges.
 * gradient is device memory. W and dW may differ in value type unless one is f64. (stream) */
BS_API bsStatus_t bsBlockGateGrad(bsHandle_t handle, bsConstMatDescr_t W, bsConstMatDescr_t dW, float* gradient,
                                  int64_t stride);

/* Conversion and transposition in two phases: destination = op(source), between any two of dense, CSR, CSC, COO, BSR
 * with equal value types; index types, bases, block sizes and orders may differ. Gates are multiplied in.
 *   1. bsConvert_count writes the destination's offsets (dense and COO have none) and sets its nnz, to be read with
 *      bsMatGetSize. Synchronises. The destination's indices and values may still be NULL.
 *   2. Give the destination arrays of that size with bsMatSetPointers (offsets as counted), then bsConvert_fill writes
 *      indices and values, or a dense destination whole. (stream)
 * Sparse results have ascending indices in every row and are the same on every run; entries with equal indices stay
 * apart, in their order, in CSR, CSC and COO and are added in BSR and dense. From dense, elements that are not zero are
 * taken (NaN is taken, -0 is not); from BSR all elements of stored blocks inside the matrix; into BSR every block with
 * an entry. The workspace is the same for both phases and keeps its contents between them.
 * INVALID_SHAPE (sizes, batches: count must be 1), INVALID_TYPE, INVALID_SIZE (count does not fit the index type, or
 * destination nnz is not the counted one), INSUFFICIENT_WORKSPACE, INVALID_ALIAS. */
BS_API bsStatus_t bsConvert_bufferSize(bsHandle_t handle, bsOperation_t op, bsConstMatDescr_t source,
                                       bsConstMatDescr_t destination, int64_t* bytes);
BS_API bsStatus_t bsConvert_count(bsHandle_t handle, bsOperation_t op, bsConstMatDescr_t source,
                                  bsMatDescr_t destination, void* workspace /* nullable if bytes is 0 */,
                                  int64_t bytes);
BS_API bsStatus_t bsConvert_fill(bsHandle_t handle, bsOperation_t op, bsConstMatDescr_t source,
                                 bsMatDescr_t destination, void* workspace /* nullable if bytes is 0 */, int64_t bytes);

/* ------------------------------------------------------------------------------------------------------------------
 * 7. Why: the engine's candidates for a problem, accepted ones by predicted time, then refused ones with their reason
 * ---------------------------------------------------------------------------------------------------------------- */

/* The arguments of bsSpMM, plus the device to choose for: NULL for the handle's own, a profile ("h200", "a100",
 * "rtx4090", "cpu"), or properties
 * "cuda,name=NAME,cc=90,sms=132,l2_mb=50,smem_kb=227,mem_gbs=4600,l2_gbs=8900,f32_tflops=60,tensor_tflops=790" /
 * "cpu,cores=16,simd_bytes=32,ghz=3.5,mem_gbs=80", in any order, missing ones taken from a typical device.
 * Works without that device and without data. For bsSpMV ask with its x and y. *report must be given to
 * bsDestroyReport. Also INVALID_VALUE (device). */
BS_API bsStatus_t bsSpMM_explain(bsHandle_t handle, bsOperation_t opA, bsOperation_t opB, const void* alpha,
                                 bsConstMatDescr_t A, bsConstMatDescr_t B, const void* beta, bsConstMatDescr_t C,
                                 bsDataType_t compute, bsConstOptions_t options /* nullable */,
                                 const char* device /* nullable */, bsReport_t* report);
BS_API bsStatus_t bsSDDMM_explain(bsHandle_t handle, bsOperation_t opA, bsOperation_t opB, const void* alpha,
                                  bsConstMatDescr_t A, bsConstMatDescr_t B, const void* beta, bsConstMatDescr_t C,
                                  bsDataType_t compute, bsConstOptions_t options /* nullable */,
                                  const char* device /* nullable */, bsReport_t* report);

/* Strings of the report die with it. */
BS_API bsStatus_t bsDestroyReport(bsReport_t report /* nullable */);
/* Candidates, accepted and refused. */
BS_API bsStatus_t bsReportGetCount(bsReport_t report, int64_t* count);
/* Writes the value of `key` for candidate `index` to data, an object of the key's type of exactly `size` bytes. Strings
 * belong to the report. INVALID_SIZE: index or size. INVALID_VALUE: key. */
BS_API bsStatus_t bsReportGet(bsReport_t report, int64_t index, bsReportKey_t key, void* data, int64_t size);
/* The whole report for people, one line a candidate. Belongs to the report. */
BS_API bsStatus_t bsReportGetText(bsReport_t report, const char** text);

#ifdef __cplusplus
}
#endif

#endif /* BSPARSE_H */
