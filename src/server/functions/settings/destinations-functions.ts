import { SuccessResponse } from "#contract/calls.ts";
import { DeliveriesResponse, DeliveryFilesResponse, DeliveryResponse } from "#contract/destinations/deliveries.ts";
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
import {
  DestinationResponse,
  DestinationsResponse,
  TestDestinationResponse,
  ChannelsResponse,
} from "#contract/destinations/destinations.ts";
import { changeDelivery } from "#operations/deliveries/change-delivery.ts";
import { deliverJob } from "#operations/deliveries/start-deliveries.ts";
import { listDeliveries, listDeliveryFiles } from "#operations/deliveries/list-deliveries.ts";
import { addDestination, changeDestination } from "#operations/destinations/change-destination.ts";
import { listDestinations } from "#operations/destinations/select-destinations.ts";
import { listChannels } from "#operations/destinations/postiz/list-channels.ts";
import { removeDestination } from "#operations/destinations/remove-destination.ts";
import { testDestination } from "#operations/destinations/test-destination.ts";
import { type CallFunction, defineCall, orList, PRESENT, SUCCESS, READ_OR_WRITE } from "../define-call.ts";

/** A failed test has status 200 and `isValid` false. */
export const DESTINATION_FUNCTIONS: CallFunction[] = [
  {
    path: "destinations",
    summary: "Manages destinations: folders, buckets, servers and schedulers that the files of jobs are delivered to.",
    scope: "settings",
    unknown: (actions) => `action: must be ${orList(actions)}`,
    calls: [
      defineCall({
        name: "list",
        summary: "Lists all destinations, and the folders that new ones can use.",
        isRead: true,
        answers: DestinationsResponse,
        run: async (context) => ({
          data: await listDestinations(context),
          folders: Object.keys(context.deliveryFolders),
        }),
      }),
      defineCall({
        name: "channels",
        summary: "Lists the channels of a connection to Postiz.",
        isRead: true,
        takes: listChannelsSchema,
        answers: ChannelsResponse,
        run: async (context, request) => ({ data: await listChannels(context, request) }),
      }),
      defineCall({
        name: "create",
        summary: "Adds a destination.",
        takes: addDestinationSchema,
        answers: DestinationResponse,
        runUnchecked: async (context, body) => ({ data: await addDestination(context, body) }),
      }),
      defineCall({
        name: "update",
        summary: "Replaces the fields of a destination.",
        takes: changeDestinationSchema,
        answers: DestinationResponse,
        runUnchecked: async (context, body) => ({ data: await changeDestination(context, body) }),
      }),
      defineCall({
        name: "delete",
        summary: "Deletes a destination; delivered files stay.",
        takes: removeDestinationSchema,
        answers: SuccessResponse,
        runUnchecked: async (context, body) => {
          await removeDestination(context, body);
          return SUCCESS;
        },
      }),
      defineCall({
        name: "test-fields",
        summary: "Tests fields before they are saved.",
        when: { action: "test", kind: PRESENT },
        isRead: true,
        takes: testDestinationFieldsSchema,
        answers: TestDestinationResponse,
        runUnchecked: testDestination,
      }),
      defineCall({
        name: "test",
        summary: "Writes a small file to a saved destination and removes it; at Postiz, only checks the channels.",
        isRead: true,
        takes: testSavedDestinationSchema,
        answers: TestDestinationResponse,
        runUnchecked: testDestination,
      }),
    ],
  },
  {
    path: "deliveries",
    summary: "Delivers the files of jobs to destinations.",
    scope: "jobs:write",
    get: READ_OR_WRITE.get,
    calls: [
      defineCall({
        name: "files",
        summary: "Lists the files of a delivery.",
        when: { method: "GET", id: PRESENT },
        scope: "jobs:read",
        isRead: true,
        takes: listDeliveryFilesSchema,
        answers: DeliveryFilesResponse,
        run: async (context, { id }) => ({ data: await listDeliveryFiles(context, id) }),
      }),
      defineCall({
        name: "list",
        summary: "Lists the deliveries of a job, the latest to each destination.",
        when: { method: "GET" },
        scope: "jobs:read",
        isRead: true,
        takes: listDeliveriesSchema,
        answers: DeliveriesResponse,
        run: async (context, { job_id: jobId }) => ({ data: await listDeliveries(context, jobId) }),
      }),
      defineCall({
        name: "change",
        summary: "Retries or cancels a delivery.",
        when: { action: PRESENT },
        takes: changeDeliverySchema,
        answers: DeliveryResponse,
        run: async (context, request) => ({ data: await changeDelivery(context, request) }),
      }),
      defineCall({
        name: "deliver",
        summary: "Delivers an ended job to a destination. Returns the delivery in progress if there is one.",
        when: {},
        takes: deliverSchema,
        answers: DeliveryResponse,
        run: async (context, request) => ({ data: await deliverJob(context, request) }),
      }),
    ],
  },
];
