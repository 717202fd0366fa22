export { badOf, badPointsOf, confirmBad, endBad, revokeBad } from './bad.ts'
export { insertCert, removeCert, workerCerts } from './certs.ts'
export { contractsOf } from './contracts.ts'
export { type Health, healthOf } from './fitness.ts'
export { removeHistory, workerHistory } from './history.ts'
export { type CodeSender, counted, forgetOpenDoors } from './open-code.ts'
export { addOwnRecord, eraseOptional, renewIdPapers, withdrawFace } from './own.ts'
export {
  expiredByProject,
  lacksContract,
  lacksPayCard,
  lacksRealName,
  lacksTraining,
  licencesDue,
  withoutContract,
} from './people-figures.ts'
export { answerOf } from './worker-file.ts'
