/** What a visitor sees where there is no route. It names nobody. */
export const NOT_FOUND_PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Not found</title>
</head>
<body>
<h1>Not found</h1>
<p>There is nothing at this address.</p>
</body>
</html>
`;
