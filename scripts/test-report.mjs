// A Vitest reporter: how many passed, how long each file took, and every failure with its place, so that `npm test` can repeat them below everything else.
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
        // Passed, but not at once: why it failed first is as good as a failure to whoever looks for the cause.
        if (state === 'passed' && test.diagnostic()?.retryCount) {
          report.unsteady.push({ where: `${module.moduleId} > ${test.fullName}`, error: (errors ?? []).map(told).join('\n') })
        }
        if (state === 'failed') {
          report.failures.push({ where: `${module.moduleId} > ${test.fullName}`, error: errors.map(told).join('\n') })
        }
      }
    }
    // Errors of nobody's test, a broken connection's say, fail the run as well.
    for (const error of unhandledErrors) {
      report.failures.push({ where: `${error.VITEST_TEST_PATH ?? ''} > ${error.VITEST_TEST_NAME ?? '—'}`, error: told(error) })
    }
    mkdirSync(dirname(process.env.TEST_REPORT), { recursive: true })
    writeFileSync(process.env.TEST_REPORT, JSON.stringify(report))
  }
}
