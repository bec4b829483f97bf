// Prints the board of a benchmark: node leaderboard.mjs 127.0.0.1:50051 demo-general
import { readFileSync } from "node:fs";
import grpc from "@grpc/grpc-js";
import protoLoader from "@grpc/proto-loader";

const SECONDS = 10;
const [address, slug] = process.argv.slice(2);
if (!slug) {
  console.error("usage: node leaderboard.mjs ADDRESS SLUG");
  process.exit(2);
}

// One file has the whole contract, with what refusals carry.
const contract = readFileSync(new URL("../../../protos/llm_benchmark.v1.binpb", import.meta.url));
const definition = protoLoader.loadFileDescriptorSetFromBuffer(contract, { enums: String, longs: Number });
const { llm_benchmark, google } = grpc.loadPackageDefinition(definition);

const metadata = new grpc.Metadata();
if (process.env.LLM_BENCHMARK_TOKEN) {
  metadata.set("authorization", `Bearer ${process.env.LLM_BENCHMARK_TOKEN}`);
}

function call(client, method, request) {
  const deadline = Date.now() + SECONDS * 1000;
  return new Promise((resolve, reject) => {
    const answered = (error, answer) => (error ? reject(error) : resolve(answer));
    client[method](request, metadata, { deadline }, answered);
  });
}

// The code of a refusal, such as benchmark_not_found; without one, gRPC's own status.
function reasonOf(error) {
  for (const status of error.metadata.get("grpc-status-details-bin")) {
    for (const detail of google.rpc.Status.deserialize(status).details) {
      if (detail.type_url.endsWith("/google.rpc.ErrorInfo")) {
        return google.rpc.ErrorInfo.deserialize(detail.value).reason;
      }
    }
  }
  return grpc.status[error.code];
}

function line(row) {
  const place = row.rank ? `${row.rank_low} to ${row.rank_high}` : "unranked";
  return `${place}  ${row.model_name}: ${row.value?.toFixed(3) ?? "not measured"}`;
}

const { BenchmarkService, LeaderboardService } = llm_benchmark.v1;
const credentials = grpc.credentials.createInsecure(); // createSsl() where the server has a certificate
try {
  const benchmarks = new BenchmarkService(address, credentials);
  const benchmark = await call(benchmarks, "GetBenchmarkBySlug", { slug });
  const leaderboards = new LeaderboardService(address, credentials);
  const board = await call(leaderboards, "GetLeaderboard", { benchmark_id: benchmark.id });
  board.items.map(line).forEach((text) => console.log(text));
} catch (error) {
  console.error(`${reasonOf(error)}: ${error.details}`);
  process.exitCode = 1;
}
