// Package conformance reads the conformance cases for the tests of other packages: files of one JSON object a line, from the
// directory that GATEHOUSE_CONFORMANCE names, else from the testing package's own testdata/conformance.
package conformance

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
)

const variable = "GATEHOUSE_CONFORMANCE"

// Dir returns the directory that the rows are read from.
func Dir() string {
	if dir := os.Getenv(variable); dir != "" {
		return dir
	}
	return filepath.Join("testdata", "conformance")
}

// DirFrom is Dir for a test whose rows are in the directory of another package if the variable is not set.
func DirFrom(dir string) string {
	if os.Getenv(variable) != "" {
		return Dir()
	}
	return filepath.Join(dir, Dir())
}

// Outside returns a path relative to the directory of the rows, for what lies with them and is never copied into this
// project, such as "../real". Without the variable the test is skipped.
func Outside(t testing.TB, elem ...string) string {
	t.Helper()
	dir := os.Getenv(variable)
	if dir == "" {
		t.Skipf("%s is not set: what is read here is no part of this project", variable)
	}
	return filepath.Join(append([]string{dir}, elem...)...)
}

// Rows runs do as a subtest for each row of a file, decoded. A missing, empty or broken file fails the test.
func Rows[T any](t *testing.T, file string, do func(t *testing.T, row T)) {
	t.Helper()
	rowsOf(t, filepath.Join(Dir(), file), do)
}

// RowsFrom is Rows for a test whose rows are in the directory of another package if the variable is not set.
func RowsFrom[T any](t *testing.T, dir, file string, do func(t *testing.T, row T)) {
	t.Helper()
	rowsOf(t, filepath.Join(DirFrom(dir), file), do)
}

// OwnRows is Rows for a file that is the testing package's own, wherever the others are read from.
func OwnRows[T any](t *testing.T, file string, do func(t *testing.T, row T)) {
	t.Helper()
	rowsOf(t, filepath.Join("testdata", "conformance", file), do)
}

func rowsOf[T any](t *testing.T, file string, do func(t *testing.T, row T)) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(bytes.NewReader(data))
	lines.Buffer(nil, 64<<20)
	rows := 0
	for n := 1; lines.Scan(); n++ {
		if len(bytes.TrimSpace(lines.Bytes())) == 0 {
			continue
		}
		var id struct{ ID string }
		var row T
		if err := json.Unmarshal(lines.Bytes(), &id); err != nil {
			t.Fatalf("%s:%d: %v", file, n, err)
		}
		if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
			t.Fatalf("%s:%d: %v", file, n, err)
		}
		rows++
		t.Run(id.ID, func(t *testing.T) { do(t, row) })
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	if rows == 0 {
		t.Fatalf("%s holds no row", file)
	}
}
