import dayjs from 'dayjs'
import 'dayjs/locale/zh-cn'

// Only date pickers use dayjs, so it is loaded with the first of them.
dayjs.locale('zh-cn')

export { dayjs }
