import type { InputFor } from '@zhugong/contract/kit/endpoint'
import type { updateProject } from '@zhugong/contract/organisation/projects'

/** The caller: the id of a file that it uploaded itself. */
export interface Uploader {
  fileId: string
}

/** Rows that every company has on the site. Further kinds of records are inserted by their fixtures and found by `rowId`. */
export interface CompanyRows {
  /** Distinguishes its rows: `rowId`. */
  key: string
  corpCode: string
  projectCorpId: string
  teamId: string
  projectTeamId: string
  workerId: string
  worker: PersonRow
  projectWorkerId: string
  deviceId: string
  /** A machine without papers or repairs. */
  spareDeviceId: string
  /** A team and a person that have left, who can be entered again. */
  leftTeamId: string
  leftWorker: PersonRow
  emptyTeamId: string
  /** A stay entered just now. */
  newStayId: string
}

/** Rows of the site as a whole. */
export interface SiteRows {
  /** Distinguishes its rows: `rowId`. */
  key: string
  projectCode: string
  /** The project's data as its form would send it. */
  projectBody: InputFor<typeof updateProject>['body']
  /** Its device of a family. */
  device(family: string): string
  /** One of the site's own accounts. */
  userId: string
  govCode: string
}

/** Data on the person's identity card. */
export interface PersonRow {
  name: string
  idCardNumber: string
}
