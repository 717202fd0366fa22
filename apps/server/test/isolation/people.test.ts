import { isolate } from './matrix.ts'

isolate('people')
