import type { Check } from './page-look.ts'

/**
 * Known exceptions of single checks, by page, with the reason; all other checks of the page stay strict. An exception that is not needed
 * any more fails the test: remove it.
 */
export interface Exception {
  /** Name of the page in the registry. */
  page: string
  check: Check
  /** Pattern of the finding's text, so that a new fault of the same check is not covered. */
  text: RegExp
  why: string
  /** Depends on data, so the exception may be unused in a run. */
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
    // Only if the body has people and that many apps.
    sometimes: true,
  },
  {
    page: 'person-import-edit',
    check: 'wide',
    text: /行 状态 姓名/,
    why: 'the columns of the file that was sent: its grid scrolls as the file does',
  },
]

/** Pages that may look alike, by name in the registry. */
export const twins: readonly { pages: readonly string[]; why: string }[] = [
  { pages: ['home', 'main'], why: 'the frame itself opens on the home page' },
  {
    pages: ['jgt-project-hf', 'safety-supervision-rectification-details', 'security-check-detail'],
    why: 'a site that follows the address of the officer’s form for paper replies answers in its own; a patrol shows the form of its notice',
  },
  {
    pages: ['safety-p-abarbeitung-details', 'dust-inspection-details'],
    why: 'a dust check that became a notice shows the form of its notice',
  },
  {
    pages: ['device-inspect-reply', 'device-rect-detail'],
    why: 'a defect is answered on its own page; whoever may not answer it reads the same in both',
  },
  { pages: ['tower-analysis', 'helmet-analysis'], why: 'opened over many sites, each asks which one it is to be' },
]
