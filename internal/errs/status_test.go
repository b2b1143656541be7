package errs_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"testing"

	"github.com/trigpoint/trigpoint/internal/errs"
)

// A name that is not listed would be missing in the API documents.
func TestEveryStatusIsListed(t *testing.T) {
	t.Parallel()
	file, err := parser.ParseFile(token.NewFileSet(), "status.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var declared []errs.Status
	ast.Inspect(file, func(n ast.Node) bool {
		if decl, ok := n.(*ast.GenDecl); ok && decl.Tok == token.CONST {
			for _, spec := range decl.Specs {
				value, _ := strconv.Unquote(spec.(*ast.ValueSpec).Values[0].(*ast.BasicLit).Value)
				declared = append(declared, errs.Status(value))
			}
		}
		return true
	})
	if !slices.Equal(declared, errs.Statuses) {
		t.Errorf("declared %v\nlisted   %v", declared, errs.Statuses)
	}
}
