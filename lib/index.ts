import 'reflect-metadata';

export {};
