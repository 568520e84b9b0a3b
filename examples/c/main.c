/* Calls the routines of filters.mlir; needs filters.h and filters.o, and
 * nothing of TDSL, MLIR or Python. */

#include "filters.h"

#include <stdio.h>
#include <stdlib.h>

#define LARGER(a, b) ((a) > (b) ? (a) : (b))
#define WORKSPACE_BYTES                                                        \
  LARGER(FILTERS_SMOOTHED_WORKSPACE_BYTES, FILTERS_MEANS_WORKSPACE_BYTES)

static void print(const char *name, const float *cells, int count) {
  printf("%s", name);
  for (int i = 0; i < count; ++i)
    printf(" %.6g", cells[i]);
  printf("\n");
}

int main(void) {
  float signals[FILTERS_SIGNALS_SIZE];
  float smooth[FILTERS_SMOOTH_SIZE];
  float mean[FILTERS_MEAN_SIZE];
  /* 64 bytes more, to start at a multiple of 64. */
  char *memory = malloc(WORKSPACE_BYTES + 64);
  if (memory == NULL)
    return 1;
  void *workspace = memory + (64 - (uintptr_t)memory % 64) % 64;

  for (int i = 0; i < FILTERS_SIGNALS_SIZE; ++i)
    signals[i] = (float)((i * 7) % 11);
  for (int64_t channel = FILTERS_CHANNEL_LOWER; channel < FILTERS_CHANNEL_UPPER;
       ++channel) {
    filters_smoothed(signals, smooth, channel, workspace);
    print("smooth", smooth, FILTERS_SMOOTH_SIZE);
  }
  filters_means(signals, mean, workspace);
  print("mean", mean, FILTERS_MEAN_SIZE);
  free(memory);
  return 0;
}
