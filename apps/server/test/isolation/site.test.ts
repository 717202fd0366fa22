import { isolate, withoutToken } from './matrix.ts'

isolate('site')
withoutToken()
