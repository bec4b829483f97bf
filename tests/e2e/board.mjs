// Prints a board over gRPC as JSON: node board.mjs ADDRESS BENCHMARK_ID CONTRACT
import { readFileSync } from "node:fs";
import grpc from "@grpc/grpc-js";
import protoLoader from "@grpc/proto-loader";

const [address, benchmarkId, contract] = process.argv.slice(2);
const options = { enums: String, longs: Number, keepCase: true, defaults: true };
const definition = protoLoader.loadFileDescriptorSetFromBuffer(readFileSync(contract), options);
const { LeaderboardService } = grpc.loadPackageDefinition(definition).llm_benchmark.v1;

const client = new LeaderboardService(address, grpc.credentials.createInsecure());
const request = { benchmark_id: benchmarkId, verified_only: false, page_size: 100 };
client.GetLeaderboard(request, { deadline: Date.now() + 10000 }, (error, board) => {
  if (error) throw error;
  console.log(JSON.stringify(board));
  client.close();
});
