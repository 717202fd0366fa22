export { houseRoutes } from './calls.ts'
export { registerHouseExports } from './export.ts'
export { acceptItems, houseKind, todosOf as todosOfHouse } from './kind.ts'
export { registerHouseCert } from './print.ts'
