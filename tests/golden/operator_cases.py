"""Reflections and Kronecker products, in the form of ``layer_cases``; run by ``record_cases.py``."""

_PRELUDE = """
A = tf.linalg
rng = np.random.RandomState(3)
def f(*s): return tf.placeholder_with_default(rng.randn(*[n or 2 for n in s]).astype('f'), s)
def p(*s): return tf.constant(rng.uniform(1, 2, s).astype('f'))
def z(*s): return tf.complex(f(*s), f(*s))
def facts(o): return [tf.constant(str([o.is_square, o.is_non_singular, o.is_self_adjoint, o.is_positive_definite, o.shape, o.name, o.dtype, o.tensor_rank]))]
def all_of_operator(o, n=2): return facts(o) + [o.matmul(f(n, 3)), o.matmul(f(3, n), adjoint_arg=True), o.matvec(f(n)), o.to_dense(), o.diag_part(), o.trace(), o.determinant(), o.log_abs_determinant(), o.solve(f(n, 3)), o.solve(f(n, 3), adjoint=True), o.solvevec(f(n)), o.add_to_tensor(f(n, n)), o.shape_tensor(), o.batch_shape_tensor(), o.domain_dimension_tensor()]
"""

_PROGRAMS = """
ys = all_of_operator(A.LinearOperatorHouseholder(p(3)), 3)
ys = all_of_operator(A.LinearOperatorHouseholder(f(None, 3), is_non_singular=True), 3)
ys = all_of_operator(A.LinearOperatorKronecker([A.LinearOperatorDiag(p(2)), A.LinearOperatorFullMatrix(p(3, 3))]), 6)
ys = all_of_operator(A.LinearOperatorKronecker([A.LinearOperatorFullMatrix(p(2, 2)), A.LinearOperatorLowerTriangular(p(2, 2)), A.LinearOperatorIdentity(2)]), 8)
o = A.LinearOperatorKronecker([A.LinearOperatorFullMatrix(p(2, 3)), A.LinearOperatorFullMatrix(p(3, 2))]); ys = facts(o) + [o.matmul(f(6, 2)), o.matmul(f(6, 2), adjoint=True), o.to_dense(), o.diag_part()]
o = A.LinearOperatorKronecker([A.LinearOperatorDiag(p(2)), A.LinearOperatorDiag(p(3))]); ys = facts(o) + [o.assert_self_adjoint().name]
o = A.LinearOperatorCirculant(p(4)); ys = facts(o) + [o.matmul(z(4, 2)), o.matmul(z(2, 4), adjoint_arg=True), o.solve(z(4, 2), adjoint=True), o.to_dense(), o.diag_part(), o.trace(), o.determinant(), o.log_abs_determinant(), o.shape_tensor(), o.convolution_kernel(), o.matvec(z(4)), o.block_shape_tensor()]
o = A.LinearOperatorCirculant(z(4), tf.complex64); ys = facts(o) + [o.matmul(z(4, 2), adjoint=True), o.solve(z(4, 2)), o.trace(), o.determinant(), o.diag_part()]
o = A.LinearOperatorCirculant2D(p(2, 2, 3), tf.float32); ys = facts(o) + [o.matmul(f(2, 6, 2)), o.solve(f(6, 2)), o.to_dense(), o.trace(), o.log_abs_determinant(), o.batch_shape_tensor()]
o = A.LinearOperatorCirculant3D(f(None, 2, 2, 2)); ys = facts(o) + [o.matmul(z(8, 2)), o.diag_part(), o.determinant(), o.shape_tensor()]
ys = [A.LinearOperatorCirculant(p(3)).assert_positive_definite().type and p(3), A.LinearOperatorCirculant(z(3)).assert_non_singular().type and p(3)]
o = A.LinearOperatorToeplitz(p(3), p(3)); ys = facts(o) + [o.matmul(f(3, 2)), o.matmul(f(2, 3), adjoint_arg=True), o.matmul(f(3, 2), adjoint=True), o.to_dense(), o.diag_part(), o.trace(), o.shape_tensor(), o.solve(f(3, 2))]
o = A.LinearOperatorHouseholder(p(3)); ys = [tf.constant(str([o.inverse() is o, o.adjoint() is o])), o.matmul(f(3, 2))]
o = A.LinearOperatorKronecker([A.LinearOperatorDiag(p(2)), A.LinearOperatorFullMatrix(p(2, 2), is_non_singular=True)], is_non_singular=True); i, a = o.inverse(), o.adjoint(); ys = facts(i) + facts(a) + [i.to_dense(), a.matmul(f(4, 2)), i.matmul(f(4, 2))]
o = A.LinearOperatorKronecker([A.LinearOperatorDiag(p(2), is_positive_definite=True)] * 2, is_positive_definite=True, is_self_adjoint=True).cholesky(); ys = facts(o) + [o.to_dense()]
o = A.LinearOperatorCirculant(p(4)); i, a = o.inverse(), o.matmul(A.LinearOperatorCirculant(z(4))); ys = facts(i) + facts(a) + [i.to_dense(), a.to_dense(), o.solve(a).to_dense()]
o = A.LinearOperatorCirculant(z(4), is_non_singular=True); i, a = o.inverse(), o.adjoint(); ys = facts(i) + facts(a) + [i.to_dense(), a.to_dense()]
A.LinearOperatorCirculant(p(3), is_self_adjoint=False)
A.LinearOperatorCirculant2D(p(3))
A.LinearOperatorToeplitz(p(3), p(2))
A.LinearOperatorKronecker([])
A.LinearOperatorKronecker([A.LinearOperatorDiag(p(2), is_non_singular=True)], is_non_singular=False)
A.LinearOperatorHouseholder(p(3), is_positive_definite=True)
A.LinearOperatorHouseholder(p(3), is_square=False)
A.LinearOperatorHouseholder(p(3)).assert_positive_definite()
o = A.LinearOperatorLowerTriangular(p(3, 3), is_non_singular=True); ys = [tf.matmul(o, f(3, 2)), tf.matmul(f(2, 3), o), tf.matmul(o, f(2, 3), adjoint_a=True, adjoint_b=True, name='m'), A.matmul(f(3, 2), o, adjoint_a=True, adjoint_b=True), A.diag_part(o), A.det(o), A.trace(o), A.solve(o, f(3, 2)), A.solve(o, f(3, 2), adjoint=True), A.adjoint(o).to_dense(), tf.trace(o, 't'), tf.matrix_determinant(o), tf.matrix_diag_part(o), tf.matmul(f(3, 3), f(3, 3))]
o = A.LinearOperatorDiag(p(3), is_positive_definite=True, is_self_adjoint=True); ys = [A.logdet(o), A.cholesky(o).to_dense(), A.inv(o).to_dense(), A.inv(o, adjoint=True).to_dense(), tf.matmul(o, o).to_dense()]
tf.matmul(A.LinearOperatorDiag(p(3)), f(3, 2), transpose_b=True)
tf.linalg.solve(f(3, 3), A.LinearOperatorDiag(p(3)))
tf.linalg.logdet(A.LinearOperatorDiag(p(3)))
o = A.LinearOperatorZeros(3); ys = facts(o) + [o.matmul(f(3, 2)), o.matmul(f(2, 3), adjoint_arg=True), o.matvec(f(3)), o.to_dense(), o.diag_part(), o.trace(), o.determinant(), o.add_to_tensor(f(3, 3)), o.shape_tensor(), o.batch_shape_tensor()]
o = A.LinearOperatorZeros(3, batch_shape=[2], dtype=tf.float64, assert_proper_shapes=True); ys = facts(o) + [o.matmul(tf.cast(f(1, 3, 2), tf.float64)), o.to_dense(), o.diag_part(), o.trace(), o.determinant()]
o = A.LinearOperatorZeros(3, 2, is_self_adjoint=False, is_square=False); ys = facts(o) + [o.matmul(f(2, 4)), o.matmul(f(3, 4), adjoint=True), o.matmul(f(4, 2), adjoint_arg=True), o.diag_part()]
o = A.LinearOperatorZeros(tf.shape(f(None, 2))[0]); ys = [tf.constant(str(o.shape)), o.diag_part(), o.shape_tensor(), o.trace()]
o = A.LinearOperatorZeros(2).matmul(A.LinearOperatorDiag(p(2))); ys = [tf.constant(str([type(o).__name__, type(A.LinearOperatorDiag(p(2)).matmul(A.LinearOperatorZeros(2))).__name__])), o.to_dense()]
A.LinearOperatorZeros(2, 3)
A.LinearOperatorZeros(2, is_self_adjoint=False)
A.LinearOperatorZeros(2, is_non_singular=True)
A.LinearOperatorZeros(2.0)
A.LinearOperatorZeros([2])
A.LinearOperatorZeros(-2)
A.LinearOperatorZeros(2, batch_shape=2)
A.LinearOperatorZeros(2).assert_non_singular()
"""

CASES = {line: _PRELUDE + line for line in _PROGRAMS.strip().split("\n")}
