package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// TestArchivesAreTheSameBytes: whatever the time, order and owner of the files, an archive is the same, and holds them all.
func TestArchivesAreTheSameBytes(t *testing.T) {
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	write := func(write func(io.Writer, string, []file, time.Time) error, back bool) []byte {
		dir := t.TempDir()
		files := []file{{name: "man/gatehouse.1", mode: 0o644}, {name: "gatehouse", mode: 0o755}, {name: "LICENSE", mode: 0o644}}
		if back {
			slices.Reverse(files)
		}
		for i := range files {
			files[i].source = filepath.Join(dir, filepath.Base(files[i].name))
			if err := os.WriteFile(files[i].source, []byte("this is "+files[i].name), 0o600); err != nil {
				t.Fatal(err)
			}
			if then := at.Add(time.Duration(len(dir)) * time.Hour); back {
				if err := os.Chtimes(files[i].source, then, then); err != nil {
					t.Fatal(err)
				}
			}
		}
		var b bytes.Buffer
		if err := write(&b, "gatehouse_1", files, at); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	type entry struct {
		name, text string
		mode       fs.FileMode
		at         time.Time
	}
	want := []entry{
		{"gatehouse_1/LICENSE", "this is LICENSE", 0o644, at}, {"gatehouse_1/gatehouse", "this is gatehouse", 0o755, at}, {"gatehouse_1/man/gatehouse.1", "this is man/gatehouse.1", 0o644, at},
	}
	for _, c := range []struct {
		name  string
		write func(io.Writer, string, []file, time.Time) error
		read  func(content []byte) []entry
	}{
		{"tar", writeTar, func(content []byte) (all []entry) {
			z, err := gzip.NewReader(bytes.NewReader(content))
			if err != nil {
				t.Fatal(err)
			}
			for r := tar.NewReader(z); ; {
				h, err := r.Next()
				if err == io.EOF {
					return all
				}
				if err != nil {
					t.Fatal(err)
				}
				text, _ := io.ReadAll(r)
				if h.Uid != 0 || h.Gid != 0 || h.Uname+h.Gname != "" {
					t.Errorf("%s is %d's", h.Name, h.Uid)
				}
				all = append(all, entry{h.Name, string(text), fs.FileMode(h.Mode), h.ModTime.UTC()})
			}
		}},
		{"zip", writeZip, func(content []byte) (all []entry) {
			z, err := zip.NewReader(bytes.NewReader(content), int64(len(content)))
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range z.File {
				r, err := f.Open()
				if err != nil {
					t.Fatal(err)
				}
				text, _ := io.ReadAll(r)
				all = append(all, entry{f.Name, string(text), f.Mode(), f.Modified.UTC()})
			}
			return all
		}},
	} {
		first, second := write(c.write, false), write(c.write, true)
		if !bytes.Equal(first, second) {
			t.Errorf("%s: not the same bytes", c.name)
		}
		if got := c.read(first); !slices.Equal(got, want) {
			t.Errorf("%s: %+v", c.name, got)
		}
	}
}
