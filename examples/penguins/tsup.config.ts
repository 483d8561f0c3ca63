import { program } from '../../tsup.shared.ts';

export default program('src/main.ts');
