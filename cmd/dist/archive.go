package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"cmp"
	"compress/gzip"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// file is a file of a release: where it is, its name in an archive, where a package puts it, and its permissions.
type file struct {
	source, name, to string
	mode             fs.FileMode
}

// archive writes the archive of a system: zip for Windows, tar with gzip elsewhere.
func (r *release) archive(p platform, files []file) error {
	write, end := writeTar, ".tar.gz"
	if p.os == "windows" {
		write, end = writeZip, ".zip"
	}
	var b bytes.Buffer
	if err := write(&b, r.base(p), files, r.date); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(r.to, r.base(p)+end), b.Bytes(), 0o644)
}

// sorted returns files in the order of their names in an archive.
func sorted(files []file) []file {
	return slices.SortedFunc(slices.Values(files), func(a, b file) int { return cmp.Compare(a.name, b.name) })
}

// writeTar writes files below a directory, all of one time and owned by root.
func writeTar(w io.Writer, dir string, files []file, at time.Time) error {
	z, err := gzip.NewWriterLevel(w, gzip.BestCompression)
	if err != nil {
		return err
	}
	t := tar.NewWriter(z)
	for _, f := range sorted(files) {
		content, err := os.ReadFile(f.source)
		if err != nil {
			return err
		}
		h := &tar.Header{Typeflag: tar.TypeReg, Name: dir + "/" + f.name, Mode: int64(f.mode), Size: int64(len(content)), ModTime: at, Format: tar.FormatUSTAR}
		if err := t.WriteHeader(h); err != nil {
			return err
		}
		if _, err := t.Write(content); err != nil {
			return err
		}
	}
	if err := t.Close(); err != nil {
		return err
	}
	return z.Close()
}

// writeZip writes files below a directory, all of one time.
func writeZip(w io.Writer, dir string, files []file, at time.Time) error {
	z := zip.NewWriter(w)
	for _, f := range sorted(files) {
		content, err := os.ReadFile(f.source)
		if err != nil {
			return err
		}
		h := &zip.FileHeader{Name: dir + "/" + f.name, Method: zip.Deflate, Modified: at}
		h.SetMode(f.mode)
		out, err := z.CreateHeader(h)
		if err != nil {
			return err
		}
		if _, err := out.Write(content); err != nil {
			return err
		}
	}
	return z.Close()
}
