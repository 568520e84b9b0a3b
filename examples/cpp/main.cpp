// Trains the model of model.py from two threads at once, each from a start of
// its own. Needs model.h and libmodel.so, and nothing of TDSL, MLIR or Python.

#include "model.h"

#include <array>
#include <cstddef>
#include <cstdio>
#include <thread>
#include <vector>

namespace {

// What one thread works with. std::vector's memory is not aligned to 64 bytes,
// so a workspace has 64 bytes more.
class Trainer {
public:
  explicit Trainer(float start) { weights.fill(start); }

  void train(const float *points, const float *values, int epochs) {
    const float rate = 0.01f;
    for (int epoch = 0; epoch < epochs; ++epoch)
      for (std::int64_t batch = MODEL_BATCH_LOWER; batch < MODEL_BATCH_UPPER;
           ++batch)
        model_train(points, values, &rate, weights.data(), batch, workspace());
    model_evaluate(points, values, weights.data(), loss.data(), workspace());
  }

  std::array<float, MODEL_W_SIZE> weights;
  std::array<float, MODEL_LOSS_SIZE> loss;

private:
  void *workspace() {
    auto address = reinterpret_cast<std::uintptr_t>(memory.data());
    return memory.data() + (64 - address % 64) % 64;
  }

  std::vector<unsigned char> memory = std::vector<unsigned char>(
      (MODEL_TRAIN_WORKSPACE_BYTES > MODEL_EVALUATE_WORKSPACE_BYTES
           ? MODEL_TRAIN_WORKSPACE_BYTES
           : MODEL_EVALUATE_WORKSPACE_BYTES) +
      64);
};

} // namespace

int main() {
  std::vector<float> points(MODEL_POINTS_SIZE), values(MODEL_VALUES_SIZE);
  for (std::size_t i = 0; i < points.size(); ++i)
    points[i] = static_cast<float>((i * 5) % 17) / 16 - 0.5f;
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<float>((i * 3) % 13) / 13;

  Trainer first(0.0f), second(0.5f);
  std::thread other([&] { second.train(points.data(), values.data(), 20); });
  first.train(points.data(), values.data(), 20);
  other.join();

  for (const Trainer *trainer : {&first, &second}) {
    std::printf("loss %.6g\nw", trainer->loss[0]);
    for (float weight : trainer->weights)
      std::printf(" %.6g", weight);
    std::printf("\n");
  }
}
