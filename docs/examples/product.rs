// A product of a CSR and a dense matrix from Rust:
// rustc -L LIBRARY_FOLDER docs/examples/product.rs (the declarations stand beside bsparse.h).
#[path = "../../include/bsparse.rs"]
mod bsparse;
use bsparse::*;
use std::ffi::CStr;
use std::ptr::{null, null_mut};

fn attempt(status: bsStatus_t) -> Result<(), String> {
    if status == BS_STATUS_SUCCESS {
        return Ok(());
    }
    // Strings of the library live until the thread's next failing call.
    Err(unsafe { CStr::from_ptr(bsGetLastErrorMessage()) }.to_string_lossy().into_owned())
}

fn main() -> Result<(), String> {
    // S = [1 0 2 0; 0 0 0 3], B = [1 2; 3 4; 5 6; 7 8], S B = [11 14; 21 24]
    let (offsets, columns, values) = ([0i32, 2, 3], [0i32, 2, 3], [1f32, 2.0, 3.0]);
    let b: [f32; 8] = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0];
    let mut c = [0f32; 4];
    let (one, zero) = (1f32, 0f32);
    let scalar = |x: &f32| x as *const f32 as *const _;
    let n = BS_OPERATION_NON_TRANSPOSE;

    unsafe {
        let (mut handle, mut s, mut factor, mut product) = (null_mut(), null_mut(), null_mut(), null_mut());
        let (mut bytes, mut workspace) = (0i64, null_mut());
        attempt(bsCreateOn(&mut handle, BS_BACKEND_CPU, 0))?;
        attempt(bsCreateConstCsr(&mut s, 2, 4, 3, offsets.as_ptr().cast(), columns.as_ptr().cast(), values.as_ptr().cast(),
                                 BS_INDEX_32I, BS_INDEX_32I, BS_INDEX_BASE_ZERO, BS_R_32F))?;
        attempt(bsCreateConstDense(&mut factor, 4, 2, 2, b.as_ptr().cast(), BS_R_32F, BS_ORDER_ROW))?;
        attempt(bsCreateDense(&mut product, 2, 2, 2, c.as_mut_ptr().cast(), BS_R_32F, BS_ORDER_ROW))?;
        attempt(bsSpMM_bufferSize(handle, n, n, scalar(&one), s, factor, scalar(&zero), product, BS_R_32F, null(),
                                  &mut bytes))?;
        attempt(bsMalloc(handle, &mut workspace, bytes))?;
        attempt(bsSpMM(handle, n, n, scalar(&one), s, factor, scalar(&zero), product, BS_R_32F, null(), workspace, bytes))?;
        attempt(bsFree(handle, workspace))?;
        for matrix in [s, factor, product] {
            attempt(bsDestroyMat(matrix))?;
        }
        attempt(bsDestroy(handle))?;
    }
    println!("{:?}", c);
    if c == [11.0, 14.0, 21.0, 24.0] { Ok(()) } else { Err("wrong".into()) }
}
