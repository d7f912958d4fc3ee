// Command screenshots draws the pictures of the README with the program's own code:
// the demo's build at a fixed moment with a fixed clock, one frame of the
// dashboard for each picture, without a terminal; for the moving one several,
// one after the other. So a picture never shows what the program does not.
//
//	go run ./screenshots          draws screenshots/*.svg
//	go run ./screenshots -png     and a PNG next to each, by rsvg-convert
//	go run ./screenshots -check   says which committed SVG differs from the code, and exits with 1
//
// PNGs depend on the fonts of the machine and are not checked.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

func main() {
	// Frames show file times in the local zone.
	time.Local = time.UTC
	if err := run(context.Background(), os.Args[1:], os.Stdout); err != nil {
		if !errors.Is(err, flag.ErrHelp) {
			fmt.Fprintln(os.Stderr, "screenshots:", err)
		}
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("screenshots", flag.ContinueOnError)
	dir := flags.String("dir", "screenshots", "`directory` of the pictures")
	check := flags.Bool("check", false, "compare instead of drawing")
	png := flags.Bool("png", false, "make PNGs too; needs rsvg-convert")
	if err := flags.Parse(args); err != nil {
		return err
	}
	files, err := drawAll(ctx)
	if err != nil {
		return err
	}
	if *check {
		return comparePictures(*dir, files)
	}
	for _, f := range files {
		name := filepath.Join(*dir, f.name+".svg")
		if err := os.WriteFile(name, []byte(f.svg), 0o644); err != nil {
			return err
		}
		fmt.Fprintln(out, name)
		if *png {
			if err := convertToPNG(ctx, name, filepath.Join(*dir, f.name+".png")); err != nil {
				return err
			}
		}
	}
	return nil
}

// comparePictures returns an error that names every picture that differs from the drawn one.
func comparePictures(dir string, files []file) error {
	var errs []error
	for _, f := range files {
		name := filepath.Join(dir, f.name+".svg")
		switch committed, err := os.ReadFile(name); {
		case err != nil:
			errs = append(errs, err)
		case string(committed) != f.svg:
			errs = append(errs, fmt.Errorf("%s: not what the code draws; run make screenshots and look at it", name))
		}
	}
	return errors.Join(errs...)
}

// convertToPNG makes a PNG of twice the size, for sharp text on high-resolution screens.
func convertToPNG(ctx context.Context, svg, png string) error {
	text, err := exec.CommandContext(ctx, "rsvg-convert", "--zoom", "2", "--output", png, svg).CombinedOutput()
	if err != nil {
		return fmt.Errorf("%s: rsvg-convert: %w\n%s", svg, err, text)
	}
	return nil
}
