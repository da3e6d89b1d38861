/**
 * A plugin of oxlint. `total += await read()` reads `total` before it waits, so changes made meanwhile are lost. oxlint
 * has no `require-atomic-updates`.
 */
const FUNCTIONS = new Set(["FunctionDeclaration", "FunctionExpression", "ArrowFunctionExpression"]);

/** Returns the assignment whose new value contains the node. */
function assignmentOf(node) {
  for (let [child, parent] = [node, node.parent]; parent && !FUNCTIONS.has(parent.type);) {
    if (parent.type === "AssignmentExpression" && parent.operator !== "=" && parent.right === child) return parent;
    [child, parent] = [parent, parent.parent];
  }
  return null;
}

export default {
  meta: { name: "clipmill" },
  rules: {
    "no-assignment-over-await": {
      create: (context) => ({
        AwaitExpression(node) {
          const assignment = assignmentOf(node);
          if (!assignment) return;
          const message = `Await first, then assign: ${assignment.operator} reads the old value before it waits.`;
          context.report({ node: assignment, message });
        },
      }),
    },
  },
};
