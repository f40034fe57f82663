/** Loaded into every test process: a file that does not come to its end in time fails by name instead of hanging the run. */
const minutes = Number(process.env.TEST_MINUTES ?? 5)

const deadline = setTimeout(() => {
  const held = Object.entries(Object.groupBy(process.getActiveResourcesInfo(), (name) => name))
  console.error(
    `${process.argv[1]} did not end within ${minutes} minutes; still open: ${held.map(([name, all]) => `${all?.length} ${name}`)}`,
  )
  process.exit(1)
}, minutes * 60_000)
deadline.unref()
