import { z } from "zod";
import {
  addDestinationSchema,
  changeDeliverySchema,
  changeDestinationSchema,
  deliverSchema,
  listChannelsSchema,
  listDeliveriesSchema,
  listDeliveryFilesSchema,
  removeDestinationSchema,
  testDestinationFieldsSchema,
  testSavedDestinationSchema,
} from "#contract/destinations/destination-requests.ts";
import type { FunctionDocs } from "../function-doc.ts";

const action = (name: string) => ({ action: z.literal(name) });
const READ = { method: z.literal("GET") };

export const DESTINATION_FUNCTIONS: FunctionDocs = {
  "/functions/v1/destinations": {
    summary: "Manages destinations: folders, buckets, servers and schedulers that the files of jobs are delivered to.",
    calls: [
      {
        name: "list",
        summary: "Lists all destinations, and the folders that new ones can use.",
        takes: z.object(action("list")),
        answers: "DestinationsResponse",
      },
      {
        name: "channels",
        summary: "Lists the channels of a connection to Postiz.",
        takes: listChannelsSchema.extend(action("channels")),
        answers: "ChannelsResponse",
      },
      {
        name: "create",
        summary: "Adds a destination.",
        takes: z.object(action("create")).and(addDestinationSchema),
        answers: "DestinationResponse",
      },
      {
        name: "update",
        summary: "Replaces the fields of a destination.",
        takes: z.object(action("update")).and(changeDestinationSchema),
        answers: "DestinationResponse",
      },
      {
        name: "delete",
        summary: "Deletes a destination; delivered files stay.",
        takes: removeDestinationSchema.extend(action("delete")),
        answers: "SuccessResponse",
      },
      {
        name: "test",
        summary: "Writes a small file to a saved destination and removes it; at Postiz, only checks the channels.",
        takes: testSavedDestinationSchema.extend(action("test")),
        answers: "TestDestinationResponse",
      },
      {
        name: "test-fields",
        summary: "Tests fields before they are saved.",
        takes: z.object(action("test")).and(testDestinationFieldsSchema),
        answers: "TestDestinationResponse",
      },
    ],
  },
  "/functions/v1/deliveries": {
    summary: "Delivers the files of jobs to destinations.",
    calls: [
      {
        name: "list",
        summary: "Lists the deliveries of a job, the latest to each destination.",
        takes: listDeliveriesSchema.extend(READ),
        answers: "DeliveriesResponse",
      },
      {
        name: "files",
        summary: "Lists the files of a delivery.",
        takes: listDeliveryFilesSchema.extend(READ),
        answers: "DeliveryFilesResponse",
      },
      {
        name: "deliver",
        summary: "Delivers an ended job to a destination. Returns the delivery in progress if there is one.",
        takes: deliverSchema,
        answers: "DeliveryResponse",
      },
      {
        name: "change",
        summary: "Retries or cancels a delivery.",
        takes: changeDeliverySchema,
        answers: "DeliveryResponse",
      },
    ],
  },
};
