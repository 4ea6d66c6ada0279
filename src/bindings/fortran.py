"""include/bsparse.f90: the whole interface as a module for iso_c_binding."""

import textwrap

INTRO = """\
! The interface of libbsparse for Fortran 2003 and newer, with the optional arguments of Fortran 2018. Made from bsparse.h,
! which is the manual. Compile it with your own compiler (module files are not interchangeable), link -lbsparse.
!
!   Handles are derived types; a new one is null. Matrices have one type, whatever their format.
!   Arrays and scalars whose memory C wants are passed as c_loc(x), x with the TARGET attribute; c_null_ptr is NULL. A
!   descriptor keeps the address, so x must live as long and be contiguous.
!   Strings given to the library end in c_null_char; bsString makes a Fortran string of one that the library gives.
!   What the manual calls nullable is optional here where it is a string or written through the pointer.
!   Fortran's arrays are BS_ORDER_COL matrices; BS_INDEX_BASE_ONE counts from 1.
"""

STRING = """\
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
"""


class Types:
    def __init__(self, api):
        self.enums = {enum["name"] for enum in api["enums"]}
        self.callbacks = {callback["name"] for callback in api["callbacks"]}
        by_struct = {handle["struct"]: handle["name"] for handle in api["handles"] if not handle["const"]}
        self.handles = {handle["name"]: by_struct[handle["struct"]] for handle in api["handles"]}

    def scalar(self, name):
        """The Fortran type of a C type that is no pointer, and the name it needs in an interface."""
        if name in self.handles:
            return f"type({self.handles[name]})", self.handles[name]
        if name in self.callbacks:
            return "type(c_funptr)", "c_funptr"
        kind = {"int32_t": "c_int32_t", "int64_t": "c_int64_t"}.get(name, name)
        return ("real(c_double)", "c_double") if name == "double" else (f"integer({kind})", kind)

    def argument(self, argument):
        """(declaration without the name, dimension, needed name)"""
        optional = ", optional" if argument.get("nullable") is True else ""
        type_ = argument["type"]
        if type_ == "const char*":
            return f"character(kind=c_char), intent(in){optional}", "(*)", "c_char"
        if not type_.endswith("*"):
            declared, needed = self.scalar(type_)
            return f"{declared}, value", "", needed
        if type_ in ("void*", "const void*", "float*", "const float*"):
            return "type(c_ptr), value", "", "c_ptr"
        if type_.endswith("**"):
            return f"type(c_ptr), intent(out){optional}", "", "c_ptr"
        declared, needed = self.scalar(type_[:-1])
        return f"{declared}, intent(out){optional}", "", needed


def wrap(line, indent):
    """Free form allows 132 columns."""
    parts = textwrap.wrap(line, 110, break_long_words=False, break_on_hyphens=False)
    return " &\n".join((indent if i == 0 else indent + "    ") + part for i, part in enumerate(parts))


def function(api_function, types):
    name, arguments = api_function["name"], api_function["arguments"]
    result = "status" if api_function["result"] == "bsStatus_t" else "text"
    needed = {"bsStatus_t" if result == "status" else "c_ptr"}
    lines = [wrap(f"function {name}({', '.join(a['name'] for a in arguments)}) bind(C, name=\"{name}\") result({result})",
                  "    ")]
    declarations = []
    for argument in arguments:
        declared, dimension, name_ = types.argument(argument)
        needed.add(name_)
        declarations.append(f"      {declared} :: {argument['name']}{dimension}")
    lines.append(wrap("import :: " + ", ".join(sorted(needed)), "      "))
    lines += declarations
    lines.append("      integer(bsStatus_t) :: status" if result == "status" else "      type(c_ptr) :: text")
    return "\n".join(lines + ["    end function"])


def make(api):
    types = Types(api)
    out = [INTRO + "module bsparse", "  use, intrinsic :: iso_c_binding", "  implicit none", "  public", ""]
    for name, value in api["numbers"].items():
        out.append(f"  integer(c_int32_t), parameter :: {name} = {value}_c_int32_t")
    for enum in api["enums"]:
        out.append(f"\n  integer, parameter :: {enum['name']} = c_int32_t")
        out += [f"  integer({enum['name']}), parameter :: {m['name']} = {m['value']}_c_int32_t" for m in enum["members"]]
    for handle in api["handles"]:
        if not handle["const"]:
            out.append(f"\n  type, bind(C) :: {handle['name']}  ! {handle['text']}\n"
                       "    type(c_ptr) :: pointer = c_null_ptr\n  end type")
    out.append("\n  interface")
    out += ["\n\n".join(function(f, types) for f in api["functions"])]
    out.append("  end interface\n")
    return "\n".join(out) + "\n" + STRING
