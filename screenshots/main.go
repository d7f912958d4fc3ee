// Command screenshots draws the pictures of the documentation with the program's own code: the demo's build at a fixed moment with a fixed
// clock, one frame of the dashboard for each picture, without a terminal; for the moving one several, one after the other. So a picture
// never shows what the program does not. The tests compare the committed pictures with the code.
//
//	go run ./screenshots          draws screenshots/*.svg
package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

func main() {
	// Frames show file times in the local zone.
	time.Local = time.UTC
	if err := drawInto(context.Background(), "screenshots"); err != nil {
		fmt.Fprintln(os.Stderr, "screenshots:", err)
		os.Exit(1)
	}
}

// drawInto draws all pictures into a directory.
func drawInto(ctx context.Context, dir string) error {
	files, err := drawAll(ctx)
	if err != nil {
		return err
	}
	for _, f := range files {
		if err := os.WriteFile(filepath.Join(dir, f.name+".svg"), []byte(f.svg), 0o644); err != nil {
			return err
		}
	}
	return nil
}
