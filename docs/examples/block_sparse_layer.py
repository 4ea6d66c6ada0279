"""A block-sparse linear layer for PyTorch, on the CPU or a GPU, trained on a small problem: PYTHONPATH=include python3 ...

y = x W^T + b with W in BSR. The forward pass, the input gradient and the weight gradient (with the bias gradient beside
it) are one call each. Exit status 77 without PyTorch.
"""

import sys

try:
    import torch
except ImportError:
    print("skipped: no PyTorch")
    sys.exit(77)

import bsparse

_handles = {}


def handle_of(tensor):
    """One handle a device, on PyTorch's stream."""
    device = tensor.device
    if device not in _handles:
        _handles[device] = bsparse.Handle(device.type, device.index or 0)
    if device.type == "cuda":
        _handles[device].set_stream(torch.cuda.current_stream(device).cuda_stream)
    return _handles[device]


class BlockSparseProduct(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weights, bias, shape, offsets, columns):
        x = x.detach().contiguous()
        ctx.save_for_backward(x, weights)
        ctx.structure = shape, offsets, columns
        W = bsparse.bsr(shape, offsets, columns, weights.detach())
        y = x.new_empty(x.shape[0], shape[0])
        handle_of(x).spmm(x, W, y, op_b="T", options=bsparse.Options(bias=(bias.detach(), "col")))
        return y

    @staticmethod
    def backward(ctx, dy):
        x, weights = ctx.saved_tensors
        dy, handle = dy.contiguous(), handle_of(x)
        W = bsparse.bsr(*ctx.structure, weights.detach())
        dx, dweights, dbias = torch.empty_like(x), torch.empty_like(weights), x.new_empty(ctx.structure[0][0])
        handle.spmm(dy, W, dx)
        # The sum over the samples of dy^T is the bias gradient: it is had while dW is computed.
        handle.sddmm(dy, x, bsparse.bsr(*ctx.structure, dweights), op_a="T",
                     options=bsparse.Options(bias_gradient=(dbias, "row")))
        return dx, dweights, dbias, None, None, None


class BlockSparseLinear(torch.nn.Module):
    """`pattern`: a boolean matrix of blocks, outputs / block by inputs / block."""

    def __init__(self, pattern, block, dtype=torch.float32):
        super().__init__()
        counts = pattern.sum(1)
        self.register_buffer("offsets", torch.cat([counts.new_zeros(1), counts.cumsum(0)]).int())
        self.register_buffer("columns", pattern.nonzero()[:, 1].int().contiguous())
        self.shape = pattern.shape[0] * block, pattern.shape[1] * block
        scale = (counts.float().mean() * block) ** -0.5
        self.weights = torch.nn.Parameter(torch.randn(len(self.columns), block, block, dtype=dtype) * scale)
        self.bias = torch.nn.Parameter(torch.zeros(self.shape[0], dtype=dtype))

    def forward(self, x):
        return BlockSparseProduct.apply(x, self.weights, self.bias, self.shape, self.offsets, self.columns)


def check_gradients():
    """Against finite differences, in double precision."""
    pattern = torch.tensor([[1, 0, 1], [0, 1, 0]], dtype=torch.bool)
    layer = BlockSparseLinear(pattern, 2, torch.float64)
    x = torch.randn(5, 6, dtype=torch.float64, requires_grad=True)
    structure = layer.shape, layer.offsets, layer.columns
    assert torch.autograd.gradcheck(lambda *t: BlockSparseProduct.apply(*t, *structure), (x, layer.weights, layer.bias))


def train(device):
    torch.manual_seed(1)
    pattern = torch.rand(8, 8) < 0.4
    pattern[:, 0] = True
    teacher, layer = (BlockSparseLinear(pattern, 16).to(device) for _ in range(2))
    x = torch.randn(256, 128, device=device)
    with torch.no_grad():
        wanted = teacher(x) + 1
    optimizer = torch.optim.Adam(layer.parameters(), lr=0.02)
    losses = []
    for _ in range(200):
        optimizer.zero_grad()
        loss = torch.nn.functional.mse_loss(layer(x), wanted)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    print(f"{device}: loss {losses[0]:.3f} -> {losses[-1]:.6f}")
    assert losses[-1] < 1e-3 * losses[0], "the layer did not learn"


if __name__ == "__main__":
    check_gradients()
    train("cpu")
    if torch.cuda.is_available() and bsparse.bsHasFeature("cuda"):
        train("cuda:0")
