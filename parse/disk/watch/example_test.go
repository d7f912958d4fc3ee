package watch_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"gatehouse/parse/disk/watch"
)

func Example() {
	dir, err := os.MkdirTemp("", "watch")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)

	// The root does not exist yet.
	planning := filepath.Join(dir, ".planning")
	w, err := watch.New(context.Background(), []watch.Root{{Dir: planning, Recursive: true}}, watch.Options{})
	if err != nil {
		panic(err)
	}
	defer w.Close()

	if err := os.Mkdir(planning, 0o755); err != nil {
		panic(err)
	}
	batch := <-w.Changes()
	fmt.Println(filepath.Base(batch.Paths[0]))
	// Output: .planning
}
