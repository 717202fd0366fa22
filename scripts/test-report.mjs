// A Vitest reporter: counts the passed tests, records the time of each file, and collects every failure with its position, so that `npm
// test` can print the failures at the end.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

const linesShown = 12

const told = (error) =>
  String(error.stack ?? error.message ?? error)
    .split('\n')
    .slice(0, linesShown)
    .join('\n')

export default class TestReport {
  onTestRunEnd(modules, unhandledErrors) {
    const report = { passed: 0, failures: [], files: [], names: [], unsteady: [] }
    for (const module of modules) {
      const { collectDuration, duration, setupDuration } = module.diagnostic()
      report.files.push({ file: module.moduleId, ms: collectDuration + setupDuration + duration })
      for (const error of module.errors()) report.failures.push({ where: module.moduleId, error: told(error) })
      for (const suite of module.children.allSuites()) {
        for (const error of suite.errors()) report.failures.push({ where: `${module.moduleId} > ${suite.fullName}`, error: told(error) })
      }
      for (const test of module.children.allTests()) {
        const { state, errors } = test.result()
        report.names.push(test.fullName)
        if (state === 'passed') report.passed++
        // The test passed on a retry. Report the error of the first attempt, because it shows the cause.
        if (state === 'passed' && test.diagnostic()?.retryCount) {
          report.unsteady.push({ where: `${module.moduleId} > ${test.fullName}`, error: (errors ?? []).map(told).join('\n') })
        }
        if (state === 'failed') {
          report.failures.push({ where: `${module.moduleId} > ${test.fullName}`, error: errors.map(told).join('\n') })
        }
      }
    }
    // Errors outside any test, for example of a closed connection, also fail the run.
    for (const error of unhandledErrors) {
      report.failures.push({ where: `${error.VITEST_TEST_PATH ?? ''} > ${error.VITEST_TEST_NAME ?? '—'}`, error: told(error) })
    }
    mkdirSync(dirname(process.env.TEST_REPORT), { recursive: true })
    writeFileSync(process.env.TEST_REPORT, JSON.stringify(report))
  }
}
