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

	w := watch.New(context.Background(), watch.Options{})
	defer w.Close()
	w.Watch(dir, "the example") // Before it is read.

	planning := filepath.Join(dir, ".planning")
	if err := os.Mkdir(planning, 0o755); err != nil {
		panic(err)
	}
	batch := <-w.Changes()
	fmt.Println(filepath.Base(batch.Paths[0]))
	// Output: .planning
}
