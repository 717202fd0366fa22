import { uploadFile } from '@zhugong/contract/files/endpoints'
import { beginUpload, dropUpload, finishUpload, sendPart } from '@zhugong/contract/files/parts'
import type { Fixtures } from '../../../test/fixtures/helpers.ts'

export const fixtures: Fixtures = {
  exempt: [
    {
      why: 'changes the caller’s own group only (roles, accounts, settings, files, exports)',
      calls: [uploadFile, beginUpload, finishUpload, dropUpload],
    },
  ],
  exemptReads: [{ why: 'a part of an unfinished file, found among the caller’s own: files/parts.test.ts', calls: [sendPart] }],
  withoutPage: [
    { why: 'addresses that stand in links of answers', names: ['getImage'] },
    { why: 'for clients other than the page, which begins again and is told the same', names: ['getUpload'] },
  ],
  unowned: {
    file: 'a signed link: files/links.test.ts',
  },
}
