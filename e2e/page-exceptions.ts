import type { Check } from './page-look.ts'

/**
 * What the product does not hold yet, page by page, with the reason; every other check of the page stays strict. One that is not
 * needed any more fails the test: take it out.
 */
export interface Exception {
  /** The page's name in the registry. */
  page: string
  check: Check
  /** What the finding's text must match, so that a new fault of the same kind is none of it. */
  text: RegExp
  why: string
  /** Depends on what comes first: not having been seen in a run proves nothing. */
  sometimes?: true
}

const attendanceSheet = 'a month has 31 columns: its sheet scrolls beside fixed names, as a paper sheet is pulled aside'

export const exceptions: readonly Exception[] = [
  { page: 'attendance-month', check: 'wide', text: /姓名 工种/, why: attendanceSheet },
  {
    page: 'system-govemment-app-power-range',
    check: 'wide',
    text: /人员 人员实名/,
    why: 'a column for each app the body was given: they scroll beside fixed names',
    // Only where a body has people and as many apps as that.
    sometimes: true,
  },
  {
    page: 'person-import-edit',
    check: 'wide',
    text: /行 状态 姓名/,
    why: 'the columns of the file that was sent: its grid scrolls as the file does',
  },
]

/** Pages that may look alike, by their names in the registry. */
export const twins: readonly { pages: readonly string[]; why: string }[] = [
  { pages: ['home', 'main'], why: 'the frame itself opens on the home page' },
  { pages: ['tower-analysis', 'helmet-analysis'], why: 'opened over many sites, each asks which one it is to be' },
]
